package io.slotwise.core.combination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Choices that are thinned during the search. {@code ParetoBatchTest} compares complete ones with every combination.
 */
class BatchFrontierTest {
    private static List<List<Item>> groups(RandomGenerator random) {
        return IntStream.range(0, 8)
                .mapToObj(_ -> IntStream.range(0, 4)
                        .mapToObj(_ -> {
                            int weight = random.nextInt(1000);
                            return Item.of(random.nextInt(200) - weight, weight);
                        })
                        .toList())
                .toList();
    }

    private static long weight(List<List<Item>> groups, List<Integer> items) {
        return IntStream.range(0, items.size())
                .mapToLong(g -> groups.get(g).get(items.get(g)).weight())
                .sum();
    }

    private static long value(List<List<Item>> groups, List<Integer> items) {
        return IntStream.range(0, items.size())
                .mapToLong(g -> groups.get(g).get(items.get(g)).value())
                .sum();
    }

    @Test
    void listsThatAreThinnedOnTheWayStayWithinTheGapAndKeepBothEnds() {
        for (int seed = 0; seed < 200; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            List<List<Item>> groups = groups(random);
            BatchFrontier.Choices whole = new BatchFrontier(groups, 1_000_000, 1_000_000).choices();

            BatchFrontier.Choices few = new BatchFrontier(groups, 2 + seed % 7, 1000).choices();

            assertThat(few.dropped()).isPositive();
            long gap = few.gap().orElseThrow();
            for (List<Integer> one : whole.items()) {
                assertThat(few.items())
                        .as("seed %d", seed)
                        .anyMatch(kept -> value(groups, kept) <= value(groups, one)
                                && weight(groups, kept) <= weight(groups, one) + gap);
            }
            assertThat(weight(groups, few.items().getFirst()))
                    .isEqualTo(weight(groups, whole.items().getFirst()));
            assertThat(value(groups, few.items().getLast()))
                    .isEqualTo(value(groups, whole.items().getLast()));
        }
    }

    @Test
    void aBatchOfNoGangsHasOneChoice() {
        assertThat(new BatchFrontier(List.of(), 2, 2).choices().items()).containsExactly(List.of());
    }
}
