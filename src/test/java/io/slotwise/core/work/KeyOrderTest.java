package io.slotwise.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
    private record Thing(long key, int name) {}

    private static final Comparator<Thing> BY_NAME = Comparator.comparingInt(Thing::name);

    /** Keys close to each other, and keys whose difference no int or no long can hold. */
    @Test
    void thingsAreInTheOrderOfTheirKeysAndThenOfTheirNames() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
        List<long[]> ranges = List.of(
                new long[] {5, 6},
                new long[] {-20, 20},
                new long[] {1_000_000, 1_000_000L + Integer.MAX_VALUE},
                new long[] {-1, Integer.MAX_VALUE},
                new long[] {Long.MIN_VALUE, Long.MAX_VALUE});
        for (long[] range : ranges) {
            List<Thing> things = new ArrayList<>(List.of(new Thing(range[0], 7), new Thing(range[1], 7)));
            for (int i = 0; i < 200; i++) {
                things.add(new Thing(random.nextLong(range[0], range[1]), random.nextInt(50)));
            }

            List<Thing> sorted = KeyOrder.of(things, Thing::key, BY_NAME);

            things.sort(Comparator.comparingLong(Thing::key).thenComparing(BY_NAME));
            assertThat(sorted).isEqualTo(things);
        }
        assertThat(KeyOrder.of(List.<Thing>of(), Thing::key, BY_NAME)).isEmpty();
    }
}
