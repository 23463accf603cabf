package io.slotwise.core.combination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The choices of one item per group that no other choice within the accounts beats in the sums of both values and
 * weights: the Pareto set of a batch.
 *
 * <p>The groups are folded in one by one. A total is dropped if another one is no heavier, no worse and charged no more
 * to the open accounts, since it is then beaten in every completion too. Invariant: for every choice of the folded
 * groups that the accounts can pay, the list holds a total that is no worse, and either no heavier or heavier by at
 * most the {@linkplain Choices#gap gap}.
 *
 * <p>A Pareto set can be as large as the number of choices, so the lists are bounded. A longer list keeps its first and
 * last totals, and the allowed number evenly between them. The gap grows by the largest step over dropped totals. With
 * open accounts a kept total may be charged more than a dropped one; then no gap is known.
 *
 * <p>Equal sums are one point, the first by the order of the items. O(g L i log i) time for g groups of i items and
 * lists of L entries, L at most {@code most}; O(g L) space.
 *
 * <p>Source: G. Nemhauser, Z. Ullmann, "Discrete Dynamic Programming and Capital Allocation", Management Science 15(9)
 * (1969), whose lists of undominated totals are the answer where no limit is given; the two sums are those of the paper
 * on the cyclic scheme, section 1.1, equations (1) to (3). The accounts and the bounded lists are additions.
 *
 * @param groups each with at least one item; the items of a group are charged to accounts of one namespace
 * @param most the entries of a list beyond which it is thinned, at least 2
 * @param points the most choices to return, at least 2
 */
public record BatchFrontier(List<List<Item>> groups, int most, int points) {
    /** A limit that no sum of weights reaches. Weights still count. */
    private static final long LIMIT = Knapsack.UNLIMITED - 1;

    public BatchFrontier {
        groups = groups.stream().map(List::copyOf).toList();
        if (most < 2 || points < 2) {
            throw new IllegalArgumentException(
                    "The most entries of a list (%d) and the points (%d) must be at least 2.".formatted(most, points));
        }
    }

    /**
     * The result.
     *
     * @param items for each choice the index of each group's item, by ascending weight and descending value
     * @param dropped the totals left out because a list was too long; 0 if the set is complete
     * @param gap a bound: for every choice left out, some choice here is no worse and heavier by at most this. Empty if
     *     no bound is known.
     */
    public record Choices(List<List<Integer>> items, long dropped, OptionalLong gap) {
        public Choices {
            items = items.stream().map(List::copyOf).toList();
        }
    }

    /** Returns the Pareto set, empty if the accounts cannot pay for any choice. */
    public Choices choices() {
        if (groups.isEmpty()) {
            return new Choices(List.of(List.of()), 0, OptionalLong.of(0));
        }
        Knapsack knapsack = new Knapsack(groups, LIMIT, most, null, null);
        List<Knapsack.Block> blocks = knapsack.blocks(new ChoiceBounds(LIMIT, null, List.of(), knapsack.shift()));
        Run run = new Run(knapsack.shift() > 0);
        for (Knapsack.Block block : blocks) {
            for (int i = 0; i < block.positions().size(); i++) {
                int position = block.positions().get(i);
                boolean closes = i == block.positions().size() - 1;
                run.fold(Group.of(position, groups.get(position), block.bounds()), closes);
            }
        }
        return run.choices();
    }

    private final class Run {
        private final List<Group> order = new ArrayList<>();
        private final List<ParetoList> stages = new ArrayList<>();
        private ParetoList last = ParetoList.ofNothing();
        private long dropped;
        private long gap;
        private boolean gapKnown;

        /** With {@code coarse} values have lost bits, so that some may look alike. */
        Run(boolean coarse) {
            gapKnown = !coarse;
        }

        /** Folds in a group. {@code closes}: it is the last of its block, after which no account is open. */
        void fold(Group group, boolean closes) {
            long[] charges = new long[group.bounds.accounts().size()];
            ParetoList after = new ParetoList(closes ? 0 : charges.length);
            ParetoFrontier frontier = ParetoFrontier.of(after.accounts);
            for (MergedItems merged = new MergedItems(last, group); !merged.isEmpty(); merged.next()) {
                if (merged.charge(charges) && frontier.admits(merged.value(), charges)) {
                    after.add(merged, charges, 0);
                }
            }
            last.seal();
            thin(after, most);
            order.add(group);
            stages.add(after);
            last = after;
        }

        private void thin(ParetoList list, int longest) {
            if (list.size > longest) {
                dropped += list.size - longest;
                gapKnown &= list.accounts == 0;
                gap = Relaxation.saturated(gap, list.spread(longest));
            }
        }

        Choices choices() {
            thin(last, points);
            return new Choices(
                    IntStream.range(0, last.size).mapToObj(this::choice).toList(),
                    dropped,
                    gapKnown ? OptionalLong.of(gap) : OptionalLong.empty());
        }

        private List<Integer> choice(int total) {
            Integer[] items = new Integer[groups.size()];
            int at = total;
            for (int g = order.size() - 1; g >= 0; g--) {
                ParetoList list = stages.get(g);
                items[order.get(g).position] = order.get(g).item[list.entry[at]];
                at = list.from[at];
            }
            return Arrays.asList(items);
        }
    }
}
