package io.slotwise.core.anticipation;

import io.slotwise.core.window.Window;

/**
 * What two windows are compared by.
 *
 * @param start second, since the epoch
 * @param runtime seconds
 * @param cost 1/3600 millionths
 * @param processorTime seconds
 * @param energy milliwatt-seconds; {@link Window#UNKNOWN_ENERGY}: not known
 */
public record Figures(long start, long runtime, long cost, long processorTime, long energy) {
    /** A window's. */
    public static Figures of(Window window) {
        return new Figures(
                window.start(),
                window.runtime(),
                window.cost().microSecondsPerHour(),
                window.processorTime(),
                window.energy());
    }

    /** The second after the last one. */
    public long finish() {
        return start + runtime;
    }
}
