package io.slotwise.core.window.knapsack;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.window.knapsack.UnitKnapsack.Choice;
import io.slotwise.core.window.knapsack.UnitKnapsack.Taken;
import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnitKnapsackTest {
    private static final int CASES = 4000;

    private long[] values = {};
    private long[] costs = {};
    private int[] units = {};

    @Test
    void findsTheLeastValueAndOfThoseTheLeastCost() {
        int tight = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            int n = 1 + random.nextInt(9);
            draw(random, n);
            long limit = random.nextLong(n * 30L);
            long bound = random.nextInt(3) == 0 ? 1 + random.nextLong(n * 40L) : Long.MAX_VALUE;
            UnitKnapsack knapsack = knapsack(n, limit);

            Choice choice = knapsack.below(bound);

            long[] expected = tried(n, limit, bound);
            assertThat(choice == null ? null : new long[] {choice.value(), choice.cost()})
                    .as("seed %d", seed)
                    .isEqualTo(expected);
            if (choice != null) {
                checkTotals(choice, n);
                tight += knapsack.costFactor() > 0 ? 1 : 0;
            }
        }
        assertThat(tight).as("cases in which the limit binds").isGreaterThan(CASES / 10);
    }

    @Test
    void findsNothingAmongTooFewUnits() {
        values = new long[] {1, 2};
        costs = new long[] {1, 1};
        units = new int[] {1, 1};

        Choice choice = knapsack(3, 100).below(Long.MAX_VALUE);

        assertThat(choice).isNull();
    }

    /** Hundreds of units, and sums near the largest long. */
    @Test
    void scalesMultipliersSoThatLargeSumsDoNotOverflow() {
        int nodes = 300;
        int n = 40;
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        values = random.longs(nodes, 1, 1L << 35).toArray();
        costs = random.longs(nodes, 1, Long.MAX_VALUE / 16 / n).toArray();
        units = random.ints(nodes, 1, 3).toArray();
        long limit = Long.MAX_VALUE / 16 / 3;

        Choice choice = Objects.requireNonNull(knapsack(n, limit).below(Long.MAX_VALUE));

        checkTotals(choice, n);
        assertThat(choice.cost()).isBetween(0L, limit);
    }

    private void checkTotals(Choice choice, int n) {
        assertThat(choice.taken().stream().mapToInt(Taken::units).sum()).isEqualTo(n);
        assertThat(choice.taken()).allSatisfy(taken -> assertThat(taken.units()).isBetween(1, units[taken.node()]));
        assertThat(choice.taken().stream()
                        .mapToLong(taken -> taken.units() * values[taken.node()])
                        .sum())
                .isEqualTo(choice.value());
        assertThat(choice.taken().stream()
                        .mapToLong(taken -> taken.units() * costs[taken.node()])
                        .sum())
                .isEqualTo(choice.cost());
    }

    private void draw(RandomGenerator random, int n) {
        int nodes = 1 + random.nextInt(14);
        int fewValues = random.nextBoolean() ? 5 : 40;
        values = random.longs(nodes, 0, fewValues).toArray();
        costs = random.longs(nodes, 0, 30).toArray();
        units = random.ints(nodes, 1, n + 1)
                .map(u -> random.nextBoolean() ? 1 : u)
                .toArray();
    }

    private UnitKnapsack knapsack(int n, long limit) {
        long largest = 0;
        for (long cost : costs) {
            largest = Math.max(largest, cost);
        }
        UnitKnapsack knapsack = new UnitKnapsack(values, n, limit, largest);
        for (int i = 0; i < values.length; i++) {
            knapsack.offer(i, units[i], costs[i]);
        }
        return knapsack;
    }

    /** The least value for every number of units and every cost, by a table of all of them. */
    private long @Nullable [] tried(int n, long limit, long bound) {
        int most = (int) limit;
        long[][] least = new long[n + 1][most + 1];
        for (long[] row : least) {
            Arrays.fill(row, Long.MAX_VALUE);
        }
        least[0][0] = 0;
        for (int i = 0; i < values.length; i++) {
            for (int unit = 0; unit < units[i]; unit++) {
                for (int taken = n; taken > 0; taken--) {
                    for (int cost = most; cost >= costs[i]; cost--) {
                        long before = least[taken - 1][cost - (int) costs[i]];
                        if (before < Long.MAX_VALUE) {
                            least[taken][cost] = Math.min(least[taken][cost], before + values[i]);
                        }
                    }
                }
            }
        }
        long[] best = null;
        for (int cost = 0; cost <= most; cost++) {
            long value = least[n][cost];
            if (value < bound && (best == null || value < best[0])) {
                best = new long[] {value, cost};
            }
        }
        return best;
    }
}
