package io.slotwise.core.combination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The multiple-choice knapsack: one item of every group, the least sum of values under a limit on the sum of weights.
 *
 * <p>Forward dynamic programming over Pareto lists: after each group the list holds, by ascending weight, every total that no
 * other one beats in both weight and value; a total that cannot stay within the limit with the lightest items of the groups
 * to come is dropped. Invariant: for every total that was dropped there is one in the list that is no heavier and no worse.
 * The answer is exact. O(groups x list x items x log) time, where the list has at most {@code limit + 1} entries.
 *
 * <p>When a list passes {@code most} entries it is thinned: of each run of neighbours the lightest stays. Then the answer is
 * feasible and at most {@link Choice#error} above the least.
 *
 * <p>Source: V. Toporkov, A. Bobchenkov, D. Emelyanov, A. Tselishchev, "Methods and Heuristics of Scheduling in Distributed
 * Computing with Non-dedicated Resources" (2014), section 1.1, equations (1)-(3), (7)-(9); the paper tabulates every level of
 * the limit, the Pareto lists hold only those that matter. Ties go to the lighter total, then to the earlier items.
 */
public final class Knapsack {
    /** The entries of a list beyond which it is thinned. */
    public static final int MOST_STATES = 200_000;

    private Knapsack() {}

    /**
     * One item of a group.
     *
     * @param value to be summed and minimised; may be negative
     * @param weight to be summed and limited; not negative
     */
    public record Item(long value, long weight) {}

    /**
     * The answer.
     *
     * @param items for each group the index of its item
     * @param error how far the sum of values may lie above the least one; 0: exact
     */
    public record Choice(List<Integer> items, long error) {
        public Choice {
            items = List.copyOf(items);
        }
    }

    /** A Pareto list by ascending weight: totals, the entry of the list before that each came from, and the item added. */
    private static final class Stage {
        private final long[] weight;
        private final long[] value;
        private final int[] from;
        private final int[] item;

        Stage(int size) {
            weight = new long[size];
            value = new long[size];
            from = new int[size];
            item = new int[size];
        }

        int size() {
            return weight.length;
        }
    }

    /**
     * The best choice.
     *
     * @param groups each with at least one item
     * @param limit on the sum of weights; at least the sum of the groups' lightest items
     * @param most the entries of a list beyond which it is thinned
     * @throws IllegalArgumentException if even the lightest items pass the limit
     */
    public static Choice choose(List<List<Item>> groups, long limit, int most) {
        long[] lightest = lightestFrom(groups);
        if (lightest[0] > limit) {
            throw new IllegalArgumentException("The limit (%d) must be at least the sum of the lightest items (%d)."
                    .formatted(limit, lightest[0]));
        }
        List<Stage> stages = new ArrayList<>();
        Stage stage = new Stage(1);
        long error = 0;
        for (int i = 0; i < groups.size(); i++) {
            stage = pareto(stage, groups.get(i), limit - lightest[i + 1]);
            if (stage.size() > most) {
                error = saturated(error, largestStep(stage, most));
                stage = thinned(stage, most);
            }
            stages.add(stage);
        }
        return new Choice(trace(stages), error);
    }

    /** Sums of the lightest items of group i and all later ones. */
    private static long[] lightestFrom(List<List<Item>> groups) {
        long[] sums = new long[groups.size() + 1];
        for (int i = groups.size() - 1; i >= 0; i--) {
            long least = groups.get(i).stream().mapToLong(Item::weight).min().orElseThrow();
            sums[i] = saturated(sums[i + 1], least);
        }
        return sums;
    }

    private static Stage pareto(Stage before, List<Item> items, long limit) {
        int total = Math.multiplyExact(before.size(), items.size());
        long[] weight = new long[total];
        long[] value = new long[total];
        Integer[] order = new Integer[total];
        int n = 0;
        for (int state = 0; state < before.size(); state++) {
            for (int item = 0; item < items.size(); item++) {
                int at = state * items.size() + item;
                weight[at] = saturated(before.weight[state], items.get(item).weight());
                value[at] = saturated(before.value[state], items.get(item).value());
                if (weight[at] <= limit) {
                    order[n++] = at;
                }
            }
        }
        Arrays.sort(order, 0, n, (a, b) -> {
            int byWeight = Long.compare(weight[a], weight[b]);
            int byValue = byWeight != 0 ? byWeight : Long.compare(value[a], value[b]);
            return byValue != 0 ? byValue : Integer.compare(a, b);
        });
        int kept = 0;
        for (int i = 0; i < n; i++) {
            if (kept == 0 || value[order[i]] < value[order[kept - 1]]) {
                order[kept++] = order[i];
            }
        }
        Stage after = new Stage(kept);
        for (int i = 0; i < kept; i++) {
            after.weight[i] = weight[order[i]];
            after.value[i] = value[order[i]];
            after.from[i] = order[i] / items.size();
            after.item[i] = order[i] % items.size();
        }
        return after;
    }

    private static int run(Stage stage, int most) {
        return Math.ceilDiv(stage.size(), most);
    }

    private static long largestStep(Stage stage, int most) {
        int run = run(stage, most);
        long largest = 0;
        for (int i = 0; i < stage.size(); i += run) {
            largest = Math.max(largest, stage.value[i] - stage.value[Math.min(i + run, stage.size()) - 1]);
        }
        return largest;
    }

    private static Stage thinned(Stage stage, int most) {
        int run = run(stage, most);
        int kept = Math.ceilDiv(stage.size(), run);
        Stage thin = new Stage(kept);
        for (int i = 0; i < kept; i++) {
            thin.weight[i] = stage.weight[i * run];
            thin.value[i] = stage.value[i * run];
            thin.from[i] = stage.from[i * run];
            thin.item[i] = stage.item[i * run];
        }
        return thin;
    }

    /** From the best entry of the last list, its last one, back to the first group. */
    private static List<Integer> trace(List<Stage> stages) {
        Integer[] items = new Integer[stages.size()];
        int state = stages.isEmpty() ? 0 : stages.getLast().size() - 1;
        for (int i = items.length - 1; i >= 0; i--) {
            items[i] = stages.get(i).item[state];
            state = stages.get(i).from[state];
        }
        return List.of(items);
    }

    private static long saturated(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }
}
