package io.slotwise.core.work;

import java.util.random.RandomGenerator;

/**
 * Where random numbers come from, for algorithms that draw. The core has no source of its own: a host hands one in.
 * What is drawn follows from the seed alone, so that a plan does not depend on when, in which order or by whom its
 * searches are done.
 */
@FunctionalInterface
public interface RandomSource {
    /** For a caller that draws nothing. */
    RandomSource NONE = seed -> {
        throw new IllegalStateException("There is no source of random numbers (seed %d).".formatted(seed));
    };

    /** A new generator, whose numbers are the same for the same seed; for one thread. */
    RandomGenerator seeded(long seed);
}
