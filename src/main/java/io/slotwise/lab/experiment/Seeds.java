package io.slotwise.lab.experiment;

import io.slotwise.random.SeededRandom;
import java.util.random.RandomGenerator;

/** Derived seeds and their generators. */
public final class Seeds {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private Seeds() {}

    /** Returns a different seed for each number, by the mixing of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014). */
    public static long of(long seed, long number) {
        long z = seed + (number + 1) * GOLDEN;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    public static RandomGenerator generator(long seed) {
        return SeededRandom.L64X128.seeded(seed);
    }
}
