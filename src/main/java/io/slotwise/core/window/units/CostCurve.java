package io.slotwise.core.window.units;

import io.slotwise.core.time.StepFunction;

/**
 * The cost of a pod as a function of its start: cost(t) = R(t + d) - R(t), R being the integral of its rate. Piecewise
 * linear, with breakpoints p and p - d for every breakpoint p of the rate. Read in time order: {@link #advance} is O(1)
 * amortized over the breakpoints, {@link #at} O(1) and exact up to the next breakpoint.
 */
final class CostCurve {
    private final StepFunction rate;
    private final long duration;

    private int head;
    private int tail;
    private long since;
    private long value;

    /** Creates the curve at second {@code origin}. */
    CostCurve(StepFunction rate, long duration, long origin) {
        this.rate = rate;
        this.duration = duration;
        this.head = rate.pieceAt(origin + duration);
        this.tail = rate.pieceAt(origin);
        this.since = origin;
        this.value = rate.sum(origin, origin + duration);
    }

    /** Returns the curve, moved back to second {@code origin}. */
    CostCurve rewound(long origin) {
        return new CostCurve(rate, duration, origin);
    }

    /** Moves forward to second {@code t}, which must not lie before the present one. */
    void advance(long t) {
        long next = nextBreakpoint();
        while (next <= t) {
            value = at(next);
            since = next;
            if (rate.end(head) - duration == next) {
                head++;
            }
            if (rate.end(tail) == next) {
                tail++;
            }
            next = nextBreakpoint();
        }
    }

    /** Returns millionths per hour times seconds for a pod that starts at {@code t}, up to the next breakpoint. */
    long at(long t) {
        return value + slope() * (t - since);
    }

    /** Returns the change of the cost per second up to the next breakpoint. */
    long slope() {
        return rate.value(head) - rate.value(tail);
    }

    /** Returns the second of the next change of slope, or {@link Long#MAX_VALUE}. */
    long nextBreakpoint() {
        long entering = rate.end(head);
        return Math.min(entering == Long.MAX_VALUE ? Long.MAX_VALUE : entering - duration, rate.end(tail));
    }

    /** Returns the least cost of a start from the present second to {@code latest}, and moves forward. */
    long least(long latest) {
        long least = value;
        for (long next = nextBreakpoint(); next <= latest; next = nextBreakpoint()) {
            advance(next);
            least = Math.min(least, value);
        }
        return Math.min(least, at(latest));
    }

    /** Returns the number of breakpoints: twice those of the rate. */
    int breakpoints() {
        return 2 * (rate.pieces() - 1);
    }

    /** Returns the {@code i}-th breakpoint, in no order; it may lie before the origin. */
    long breakpoint(int i) {
        long p = rate.start(i / 2 + 1);
        return i % 2 == 0 ? p : p - duration;
    }
}
