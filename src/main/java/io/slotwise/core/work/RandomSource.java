package io.slotwise.core.work;

import java.util.random.RandomGenerator;

/**
 * The source of random numbers, which callers give the core. Random numbers follow from the seed alone, so that a plan
 * does not depend on the time, the order or the threads of its searches.
 */
@FunctionalInterface
public interface RandomSource {
    RandomSource NONE = seed -> {
        throw new IllegalStateException("There is no source of random numbers (seed %d).".formatted(seed));
    };

    /** Returns a new generator, whose numbers are the same for the same seed. Not thread-safe. */
    RandomGenerator seeded(long seed);
}
