package io.slotwise.it;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * What a test with faults varies: orders, moments and victims. {@code -Dslotwise.faults.seed=7} does other things than
 * 1, which it is without that; the same seed does the same again (not the same race).
 */
final class Seed {
    private final RandomGenerator random;

    /** The choices of one test, whichever tests ran before it. */
    Seed(String test) {
        random = RandomGeneratorFactory.of("L64X128MixRandom")
                .create(Long.getLong("slotwise.faults.seed", 1) * 1_000_003 + test.hashCode());
    }

    /** A number from {@code least} to {@code most}. */
    int from(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** One of these. */
    <T> T pick(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }

    /** These in another order. */
    <T> List<T> shuffled(List<T> things) {
        List<T> shuffled = new ArrayList<>(things);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
