package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;

/**
 * What two windows are compared by.
 *
 * @param start second, since the epoch
 * @param runtime seconds
 * @param cost 1/3600 millionths
 * @param processorTime seconds
 * @param energy milliwatt-seconds; {@link Window#UNKNOWN_ENERGY}: not known
 * @param delay what its end is worth to the gang, 1/3600 millionths
 * @param distance how far it is from what the gang prefers, 1/3600 millionths
 */
public record WindowFigures(
        long start, long runtime, long cost, long processorTime, long energy, long delay, long distance) {
    public static WindowFigures of(Window window, Gang gang) {
        return new WindowFigures(
                window.start(),
                window.runtime(),
                window.cost().microSecondsPerHour(),
                window.processorTime(),
                window.energy(),
                gang.delay(window.end()),
                window.distance(gang));
    }

    /** The cost and what the delay is worth, 1/3600 millionths, as {@link Window#costWithDelay}. */
    public long value() {
        return Window.sum(cost, delay);
    }

    /** The value of any criterion, to be minimised. */
    long value(Criterion criterion) {
        return switch (criterion) {
            case START -> start;
            case FINISH -> finish();
            case RUNTIME -> runtime;
            case COST -> cost;
            case PROCESSOR_TIME -> processorTime;
            case ENERGY -> energy;
            case VALUE -> value();
            case PREFERENCE -> distance;
        };
    }

    /** The second after the last one. */
    public long finish() {
        return start + runtime;
    }
}
