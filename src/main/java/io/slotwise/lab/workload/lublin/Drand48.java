package io.slotwise.lab.workload.lublin;

/**
 * The 48-bit linear congruential generator of POSIX's {@code drand48}: X' = (0x5DEECE66D X + 0xB) mod 2^48, a draw is
 * X' / 2^48. It reproduces the published samples of models that used it.
 */
final class Drand48 {
    private static final long MULTIPLIER = 0x5DEECE66DL;
    private static final long INCREMENT = 0xBL;
    private static final long MASK = (1L << 48) - 1;
    private static final double SCALE = 0x1p-48;
    private static final long LOW_BITS = 0x330E;

    private long state;

    /** Creates a generator that is seeded like {@code srand48}. */
    Drand48(long seed) {
        state = (seed << 16 | LOW_BITS) & MASK;
    }

    double next() {
        state = state * MULTIPLIER + INCREMENT & MASK;
        return state * SCALE;
    }
}
