package io.slotwise.core.combination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.combination.Knapsack.Choice;
import io.slotwise.core.combination.Knapsack.Item;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnapsackTest {
    private static RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static List<List<Item>> groups(RandomGenerator random, int largest) {
        return IntStream.range(0, 1 + random.nextInt(largest))
                .mapToObj(g -> IntStream.range(0, 1 + random.nextInt(4))
                        .mapToObj(i -> new Item(random.nextInt(-20, 20), random.nextInt(15)))
                        .toList())
                .toList();
    }

    private static OptionalLong best(List<List<Item>> groups, int from, long limit) {
        if (limit < 0) {
            return OptionalLong.empty();
        }
        if (from == groups.size()) {
            return OptionalLong.of(0);
        }
        return groups.get(from).stream()
                .flatMapToLong(item ->
                        best(groups, from + 1, limit - item.weight()).stream().map(rest -> rest + item.value()))
                .min();
    }

    private static long sum(List<List<Item>> groups, Choice choice, ToLongFunction<Item> figure) {
        return IntStream.range(0, groups.size())
                .mapToLong(
                        i -> figure.applyAsLong(groups.get(i).get(choice.items().get(i))))
                .sum();
    }

    @Test
    void choosesWhatTryingEveryCombinationChooses() {
        for (int seed = 0; seed < 1000; seed++) {
            RandomGenerator random = seeded(seed);
            List<List<Item>> groups = groups(random, 6);
            long lightest = groups.stream()
                    .mapToLong(g -> g.stream().mapToLong(Item::weight).min().orElseThrow())
                    .sum();
            long limit = lightest + random.nextInt(30);

            Choice choice = Knapsack.choose(groups, limit, Knapsack.MOST_STATES);

            assertThat(choice.error()).isZero();
            assertThat(sum(groups, choice, Item::weight)).isLessThanOrEqualTo(limit);
            assertThat(sum(groups, choice, Item::value))
                    .as("seed %d", seed)
                    .isEqualTo(best(groups, 0, limit).orElseThrow());
        }
    }

    @Test
    void saysHowFarAThinnedListMayBeFromTheBest() {
        int thinned = 0;
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random = seeded(seed);
            List<List<Item>> groups = groups(random, 8);
            long limit = groups.size() * 15L;

            Choice choice = Knapsack.choose(groups, limit, 3);

            long best = best(groups, 0, limit).orElseThrow();
            assertThat(sum(groups, choice, Item::weight)).isLessThanOrEqualTo(limit);
            assertThat(sum(groups, choice, Item::value)).isBetween(best, best + choice.error());
            thinned += choice.error() > 0 ? 1 : 0;
        }
        assertThat(thinned).isPositive();
    }

    @Test
    void refusesALimitBelowTheLightestItems() {
        List<List<Item>> groups = List.of(List.of(new Item(1, 5)), List.of(new Item(1, 7), new Item(2, 6)));

        assertThatThrownBy(() -> Knapsack.choose(groups, 10, 100))
                .hasMessage("The limit (10) must be at least the sum of the lightest items (11).");
    }

    @Test
    void choosesNothingOfNothing() {
        assertThat(Knapsack.choose(List.of(), 0, 10).items()).isEmpty();
    }
}
