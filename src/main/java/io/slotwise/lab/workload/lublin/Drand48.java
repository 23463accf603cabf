package io.slotwise.lab.workload.lublin;

/**
 * The 48-bit linear congruential generator of POSIX's {@code drand48}: X' = (0x5DEECE66D X + 0xB) mod 2^48, a draw is
 * X' / 2^48. A model whose published samples were drawn with it can be repeated draw by draw.
 */
final class Drand48 {
    private static final long MULTIPLIER = 0x5DEECE66DL;
    private static final long INCREMENT = 0xBL;
    private static final long MASK = (1L << 48) - 1;
    private static final double SCALE = 0x1p-48;
    private static final long LOW_BITS = 0x330E;

    private long state;

    /** A generator as {@code srand48} seeds it. */
    Drand48(long seed) {
        state = (seed << 16 | LOW_BITS) & MASK;
    }

    /** The next draw, in [0, 1). */
    double next() {
        state = state * MULTIPLIER + INCREMENT & MASK;
        return state * SCALE;
    }
}
