package io.slotwise.random;

import io.slotwise.core.work.RandomSource;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** The random number generators of the Java platform. */
public enum SeededRandom implements RandomSource {
    /** L64X128MixRandom. */
    L64X128;

    @Override
    public RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }
}
