package io.slotwise.core.queue;

import io.slotwise.core.time.StepFunction;

/**
 * An amount of a resource over time: units, plus a part of the parent's amount. A stated amount is one or the other in
 * each second, so a calendar may mix both.
 *
 * @param units in the unit of the resource, from 0 to {@link #MOST}
 * @param millionths of the parent's amount in the same second, rounded down, from 0 to 1000000
 */
public record Amount(StepFunction units, StepFunction millionths) {
    /** The largest amount, which stands for no bound: small enough for exact sums. */
    public static final long MOST = Long.MAX_VALUE / 4;

    private static final long ALL = 1_000_000;

    public Amount {
        check(units, MOST, "units");
        check(millionths, ALL, "millionths");
    }

    /** An amount that does not depend on the parent. */
    public static Amount of(StepFunction units) {
        return new Amount(units, StepFunction.constant(0));
    }

    public static Amount of(long units) {
        return of(StepFunction.constant(units));
    }

    /** A part of the parent's amount, in millionths. */
    public static Amount part(long millionths) {
        return new Amount(StepFunction.constant(0), StepFunction.constant(millionths));
    }

    private static void check(StepFunction function, long most, String unit) {
        if (function.min() < 0 || function.max(Long.MIN_VALUE, Long.MAX_VALUE) > most) {
            throw new IllegalArgumentException(
                    "The amount (%s) must be from 0 to %d %s.".formatted(function, most, unit));
        }
    }

    /** Returns the amount over time; percentages are of {@code wholeFunction}. */
    StepFunction over(StepFunction wholeFunction) {
        StepFunction partFunction = StepFunction.combined(
                millionths, wholeFunction, (part, whole) -> QueueEntitlements.part(whole, part, ALL));
        return StepFunction.combined(units, partFunction, Amount::sum);
    }

    /** Returns a sum, at most {@link #MOST}. */
    public static long sum(long a, long b) {
        return Math.min(MOST, a + b);
    }

    public boolean isPart() {
        return millionths.max(Long.MIN_VALUE, Long.MAX_VALUE) > 0;
    }
}
