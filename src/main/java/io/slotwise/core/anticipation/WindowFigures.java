package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;

/**
 * The figures by which two windows are compared.
 *
 * @param start second, since the epoch
 * @param runtime seconds
 * @param cost 1/3600 millionths
 * @param processorTime seconds
 * @param energy milliwatt-seconds, or {@link Window#UNKNOWN_ENERGY}
 * @param delay the value of its delay to the gang, 1/3600 millionths
 * @param distance from the gang's preferences, 1/3600 millionths
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

    /** Returns the cost plus the value of the delay, 1/3600 millionths, as {@link Window#costWithDelay}. */
    public long value() {
        return Window.sum(cost, delay);
    }

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

    /** Returns the second after the last one. */
    public long finish() {
        return start + runtime;
    }
}
