package io.slotwise.core.window;

import io.slotwise.core.time.StepFunction;

/**
 * What a pod costs as a function of its start: cost(t) = R(t + d) - R(t), R being the integral of its rate. Piecewise linear,
 * with breakpoints p and p - d for every breakpoint p of the rate. O(log p) for one value.
 */
final class CostCurve {
    private final StepFunction rate;
    private final long duration;
    private final long origin;
    private final int firstPiece;
    private final long[] integral;

    /** The curve on starts from {@code origin} on. */
    CostCurve(StepFunction rate, long duration, long origin) {
        this.rate = rate;
        this.duration = duration;
        this.origin = origin;
        this.firstPiece = rate.pieceAt(origin);
        this.integral = new long[rate.pieces() - firstPiece];
        for (int i = 1; i < integral.length; i++) {
            int piece = firstPiece + i - 1;
            integral[i] = integral[i - 1] + rate.value(piece) * (rate.end(piece) - Math.max(origin, rate.start(piece)));
        }
    }

    /** Millionths per hour times seconds for a pod that starts at second {@code t}. */
    long at(long t) {
        return integral(t + duration) - integral(t);
    }

    private long integral(long t) {
        int piece = rate.pieceAt(t);
        return integral[piece - firstPiece] + rate.value(piece) * (t - Math.max(origin, rate.start(piece)));
    }

    /** How many breakpoints there are: twice those of the rate. */
    int breakpoints() {
        return 2 * (rate.pieces() - 1);
    }

    /** The {@code i}-th breakpoint, in no order; it may lie before the origin. */
    long breakpoint(int i) {
        long p = rate.start(i / 2 + 1);
        return i % 2 == 0 ? p : p - duration;
    }

    /** Whether a pod costs the same at every start from the origin to {@code latest}. */
    boolean isFlatUntil(long latest) {
        return rate.pieceAt(latest + duration - 1) == firstPiece;
    }
}
