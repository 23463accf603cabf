package io.slotwise.it;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The random choices of a test with faults: orders, moments and victims. {@code -Dslotwise.faults.seed} (1 by default)
 * selects them. The same seed makes the same choices, but not the same race.
 */
final class Seed {
    private final RandomGenerator random;

    /** Creates the choices of a test, independent of the tests before. */
    Seed(String test) {
        random = RandomGeneratorFactory.of("L64X128MixRandom")
                .create(Long.getLong("slotwise.faults.seed", 1) * 1_000_003 + test.hashCode());
    }

    /** A number from {@code least} to {@code most}. */
    int from(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    <T> T pick(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }

    <T> List<T> shuffled(List<T> things) {
        List<T> shuffled = new ArrayList<>(things);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
