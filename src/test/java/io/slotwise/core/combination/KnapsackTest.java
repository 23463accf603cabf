package io.slotwise.core.combination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.money.Cost;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnapsackTest {
    private static RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** Groups of namespaces with at most this many accounts each. */
    private static List<List<Item>> groups(RandomGenerator random, int largest, int accounts) {
        List<List<Account>> ledgers = IntStream.range(0, 3)
                .mapToObj(n -> IntStream.range(0, random.nextInt(accounts + 1))
                        .mapToObj(a -> new Account("n" + n, a * 100L, a * 100L + 100, new Cost(random.nextInt(40))))
                        .toList())
                .toList();
        return IntStream.range(0, 1 + random.nextInt(largest))
                .mapToObj(g -> {
                    List<Account> ledger = ledgers.get(random.nextInt(ledgers.size()));
                    return IntStream.range(0, 1 + random.nextInt(4))
                            .mapToObj(i -> item(random, ledger))
                            .toList();
                })
                .toList();
    }

    private static Item item(RandomGenerator random, List<Account> ledger) {
        int value = random.nextInt(-20, 20);
        int weight = random.nextInt(15);
        return ledger.isEmpty()
                ? Item.of(value, weight)
                : new Item(value, weight, ledger.get(random.nextInt(ledger.size())), random.nextInt(15));
    }

    /** The least value, found by trying every combination. */
    private static OptionalLong best(List<List<Item>> groups, int from, long limit, Map<Account, Long> charged) {
        if (limit < 0
                || charged.entrySet().stream()
                        .anyMatch(e -> e.getValue() > e.getKey().left().microSecondsPerHour())) {
            return OptionalLong.empty();
        }
        if (from == groups.size()) {
            return OptionalLong.of(0);
        }
        return groups.get(from).stream()
                .flatMapToLong(item -> {
                    Map<Account, Long> after = new HashMap<>(charged);
                    if (item.account() != null) {
                        after.merge(item.account(), item.charge(), Long::sum);
                    }
                    return best(groups, from + 1, limit - item.weight(), after).stream()
                            .map(rest -> rest + item.value());
                })
                .min();
    }

    private static OptionalLong best(Knapsack knapsack) {
        return best(knapsack.groups(), 0, knapsack.limit(), Map.of());
    }

    private static long sum(Knapsack knapsack, BatchChoice choice, ToLongFunction<Item> figure) {
        return IntStream.range(0, knapsack.groups().size())
                .mapToLong(i -> figure.applyAsLong(
                        knapsack.groups().get(i).get(choice.items().get(i))))
                .sum();
    }

    private static void assertFeasible(Knapsack knapsack, BatchChoice choice) {
        assertThat(sum(knapsack, choice, Item::weight)).isLessThanOrEqualTo(knapsack.limit());
        Map<Account, Long> charged = new HashMap<>();
        for (int g = 0; g < knapsack.groups().size(); g++) {
            Item item = knapsack.groups().get(g).get(choice.items().get(g));
            if (item.account() != null) {
                charged.merge(item.account(), item.charge(), Long::sum);
            }
        }
        charged.forEach((account, sum) ->
                assertThat(sum).isLessThanOrEqualTo(account.left().microSecondsPerHour()));
    }

    private static long limit(RandomGenerator random, List<List<Item>> groups) {
        long lightest = groups.stream()
                .mapToLong(g -> g.stream().mapToLong(Item::weight).min().orElseThrow())
                .sum();
        return random.nextInt(4) == 0 ? Knapsack.UNLIMITED : Math.max(0, lightest - 2) + random.nextInt(30);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void choosesWhatTryingEveryCombinationChoosesFromBothEnds(int accounts) {
        int feasible = 0;
        for (int seed = 0; seed < 1000; seed++) {
            RandomGenerator random = seeded(seed);
            List<List<Item>> groups = groups(random, 6, accounts);
            Knapsack knapsack = Knapsack.of(groups, limit(random, groups));

            OptionalLong best = best(knapsack);

            for (Direction direction : Direction.values()) {
                Optional<BatchChoice> choice = knapsack.withDirection(direction).choose();
                assertThat(choice.isPresent()).as("seed %d", seed).isEqualTo(best.isPresent());
                choice.ifPresent(found -> {
                    assertThat(found.error()).isZero();
                    assertFeasible(knapsack, found);
                    assertThat(sum(knapsack, found, Item::value)).isEqualTo(best.orElseThrow());
                });
            }
            feasible += best.isPresent() ? 1 : 0;
        }
        assertThat(feasible).isBetween(300, 1000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void saysHowFarAThinnedListMayBeFromTheBest(int accounts) {
        int thinned = 0;
        for (int seed = 0; seed < 600; seed++) {
            RandomGenerator random = seeded(seed);
            List<List<Item>> groups = groups(random, 8, accounts);
            Knapsack knapsack = Knapsack.of(groups, limit(random, groups));

            Optional<BatchChoice> choice = knapsack.withMost(1).choose();

            if (choice.isPresent()) {
                long best = best(knapsack).orElseThrow();
                assertFeasible(knapsack, choice.get());
                assertThat(sum(knapsack, choice.get(), Item::value))
                        .as("seed %d", seed)
                        .isBetween(best, best + choice.get().error());
                thinned += choice.get().error() > 0 ? 1 : 0;
            }
        }
        assertThat(thinned).isPositive();
    }

    @Test
    void startsFromAChoiceThatIsKnown() {
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random = seeded(seed);
            List<List<Item>> groups = groups(random, 6, 2);
            Knapsack knapsack = Knapsack.of(groups, limit(random, groups));
            Optional<BatchChoice> best = knapsack.choose();
            if (best.isEmpty()) {
                continue;
            }

            BatchChoice again =
                    knapsack.withChoice(best.get()).withMost(1).choose().orElseThrow();

            assertThat(sum(knapsack, again, Item::value)).isEqualTo(sum(knapsack, best.get(), Item::value));
        }
    }

    @Test
    void staysExactAtTheEdgeOfTheNumbers() {
        long huge = Long.MAX_VALUE / 16;
        List<List<Item>> groups = IntStream.range(0, 40)
                .mapToObj(g -> List.of(Item.of(-huge + g, huge), Item.of(-huge / 2, huge / 2), Item.of(0, 1)))
                .toList();
        Knapsack knapsack = Knapsack.of(groups, huge * 4);

        BatchChoice choice = knapsack.choose().orElseThrow();

        assertThat(sum(knapsack, choice, Item::weight)).isBetween(0L, huge * 4);
        assertThat(choice.error()).isBetween(0L, huge);
    }

    @Test
    void choosesNothingWhereNothingFits() {
        Knapsack knapsack = Knapsack.of(List.of(List.of(Item.of(1, 5)), List.of(Item.of(1, 7), Item.of(2, 6))), 10);

        assertThat(knapsack.choose()).isEmpty();
        assertThat(Knapsack.of(List.of(), 0).choose()).contains(new BatchChoice(List.of(), 0));
    }

    @Test
    void choosesTheFirstOfEqualItems() {
        Knapsack knapsack = Knapsack.of(List.of(List.of(Item.of(2, 3), Item.of(1, 3), Item.of(1, 3))), 5);

        assertThat(knapsack.choose().orElseThrow().items()).containsExactly(1);
    }

    @Test
    void refusesAGroupOfSeveralNamespaces() {
        Account one = new Account("a", 0, 1, Cost.ZERO);
        Account other = new Account("b", 0, 1, Cost.ZERO);

        assertThatThrownBy(() -> Knapsack.of(List.of(List.of(new Item(0, 0, one, 1), new Item(0, 0, other, 1))), 5)
                        .choose())
                .hasMessage("The items of a group are charged to several holders [a, b]; expected one.");
    }

    @Test
    void lastTakesTheGroupWithTheMostItems() {
        assertThat(Direction.cheaper(new int[] {2, 2, 50}, 1000)).isEqualTo(Direction.FORWARD);
        assertThat(Direction.cheaper(new int[] {50, 2, 2}, 1000)).isEqualTo(Direction.BACKWARD);
        assertThat(Direction.cheaper(new int[] {3, 3}, 1000)).isEqualTo(Direction.FORWARD);
    }
}
