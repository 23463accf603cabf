package io.slotwise.random;

import io.slotwise.core.work.RandomSource;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Random numbers of the Java platform. */
public enum SeededRandom implements RandomSource {
    /** Those of L64X128MixRandom. */
    L64X128;

    @Override
    public RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }
}
