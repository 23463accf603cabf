package io.slotwise.core.combination;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of the recursion over groups in a given order.
 *
 * <p>Invariant: for every choice of the folded groups one of three statements holds. The list holds a total that is no
 * heavier, no worse and no more charged. Or no completion of that choice is better than the best known choice. Or
 * {@link #lost} is at most the value of its completions.
 *
 * <p>With accounts the list has one more coordinate for each account that binds. The groups of a namespace are
 * neighbours, and its coordinates end with its last group.
 */
final class Recursion {
    private static final long NONE = Long.MAX_VALUE;

    /** The divisor of the value below which a gap to the bound is small enough for shorter lists. */
    private static final long CLOSE = 1_000_000;

    private static final int SHORTER = 10;
    private static final int SHORTEST = 40;

    /** The number of totals of a list that are completed while accounts still bind. */
    private static final int TRIED = 8;

    private final List<Group> groups;
    private final long limit;
    private final int most;
    private final Multipliers multipliers;
    private final Relaxation relaxation;
    private final List<ParetoList> stages = new ArrayList<>();

    /** The sum of the worths of the accounts of later blocks, for each group. */
    private final long[] later;

    private long best = NONE;

    /** The entries of the best choice if it was given at the start. */
    private int @Nullable [] given;

    /** The group after which the best choice was found otherwise, with the entry and the total it was added to. */
    private int foundAt = -1;

    private int foundEntry;
    private int foundFrom;

    /** The number of whole steps of the relaxation that complete the best choice. */
    private int foundSteps;

    /** The least bound of the totals that were dropped only because the list was too long. */
    private long lost = NONE;

    /** Precondition: the groups of one block are neighbours, and blocks with accounts come first. */
    Recursion(List<Group> groups, long limit, int most, Multipliers multipliers) {
        this.groups = groups;
        this.limit = limit;
        this.most = most;
        this.multipliers = multipliers;
        this.relaxation = new Relaxation(groups, multipliers);
        this.later = new long[groups.size() + 1];
        for (int g = groups.size() - 1; g > 0; g--) {
            later[g] = later[g + 1] + (opens(g) ? worth(groups.get(g).bounds) : 0);
        }
    }

    /** Starts with a known feasible choice: its entries, group by group. */
    void startFrom(int[] entries) {
        keepIfAllowed(entries);
    }

    /** Returns a lower bound of all choices, or {@link Relaxation#INFEASIBLE} if there are none. */
    long bound() {
        relaxation.advanceTo(0);
        long rest = relaxation.bound(limit);
        return rest == Relaxation.INFEASIBLE ? rest : rest - later[1] - worth(groups.getFirst().bounds);
    }

    /** Folds in all groups. Returns the entry of each, or null if no choice was found. */
    int @Nullable [] run() {
        long bound = bound();
        if (bound != Relaxation.INFEASIBLE && isFreeAfter(-1) && relaxation.completion() < best) {
            best = relaxation.completion();
            given = null;
            foundSteps = relaxation.wholeSteps();
        }
        if (bound < best) {
            ParetoList list = ParetoList.ofNothing();
            for (int g = 0; g < groups.size() && list.size > 0; g++) {
                ParetoList before = list;
                list = fold(before, g);
                completeSome(list, g);
                before.seal();
                list.prune(best);
                lost = Math.min(lost, list.thin(longest(list, bound)));
                stages.add(list);
            }
        }
        return best == NONE ? null : entries();
    }

    /** Returns a lower bound of all choices after the run. */
    long leastPossible() {
        return Math.min(best, lost);
    }

    private boolean opens(int g) {
        return g == 0 || !groups.get(g).bounds.equals(groups.get(g - 1).bounds);
    }

    private boolean closes(int g) {
        return g == groups.size() - 1 || opens(g + 1);
    }

    private boolean isFreeAfter(int g) {
        return g == groups.size() - 1 || groups.get(g + 1).bounds.accounts().isEmpty();
    }

    /** Returns the worth of a block's accounts before any charge. */
    private long worth(ChoiceBounds bounds) {
        return worth(multipliers.of(bounds), bounds, new long[bounds.accounts().size()]);
    }

    private static long worth(Ratio[] prices, ChoiceBounds bounds, long[] charges) {
        long sum = 0;
        for (int a = 0; a < prices.length; a++) {
            sum += prices[a].above(bounds.left(a) - charges[a]);
        }
        return sum;
    }

    private ParetoList fold(ParetoList before, int g) {
        Group group = groups.get(g);
        Ratio[] prices = multipliers.of(group.bounds);
        long[] charges = new long[prices.length];
        boolean closes = closes(g);
        ParetoList after = new ParetoList(closes ? 0 : charges.length);
        ParetoFrontier frontier = ParetoFrontier.of(after.accounts);
        relaxation.advanceTo(g + 1);
        for (MergedItems merged = new MergedItems(before, group); !merged.isEmpty(); merged.next()) {
            if (merged.weight() > limit) {
                break;
            }
            long rest = relaxation.bound(limit - merged.weight());
            if (rest == Relaxation.INFEASIBLE) {
                break;
            }
            if (!merged.charge(charges)) {
                continue;
            }
            long bound = merged.value() + rest - later[g + 1] - (closes ? 0 : worth(prices, group.bounds, charges));
            if (bound < best && frontier.admits(merged.value(), charges)) {
                after.add(merged, charges, bound);
                complete(g, merged);
            }
        }
        return after;
    }

    /** Records the total with its whole-step completion if that is the best choice so far. */
    private void complete(int g, MergedItems merged) {
        long value = merged.value() + relaxation.completion();
        if (isFreeAfter(g) && value < best) {
            best = value;
            given = null;
            foundAt = g;
            foundEntry = merged.item();
            foundFrom = merged.total();
            foundSteps = relaxation.wholeSteps();
        }
    }

    /** Limits a list that is not worth its time: the best choice is close to the bound, or accounts are open. */
    private int longest(ParetoList list, long bound) {
        boolean close = best != NONE && best - bound <= Math.abs(best) / CLOSE;
        return Math.ceilDiv(most, close || list.accounts > 1 ? SHORTEST : list.accounts > 0 ? SHORTER : 1);
    }

    /** Completes the most promising totals while accounts still bind, and records a feasible completion. */
    private void completeSome(ParetoList list, int g) {
        if (isFreeAfter(g)) {
            return;
        }
        int[] promising = list.leastBounds(TRIED);
        for (int total : promising) {
            relaxation.advanceTo(g + 1);
            relaxation.bound(limit - list.weight[total]);
            int[] entries = new int[groups.size()];
            relaxation.complete(g + 1, relaxation.wholeSteps(), entries);
            entries[g] = list.entry[total];
            trace(g - 1, list.from[total], entries);
            keepIfAllowed(entries);
        }
    }

    private void keepIfAllowed(int[] entries) {
        ChoiceTotals totals = new ChoiceTotals(groups, entries);
        if (totals.isAllowed(limit)) {
            totals.improve(limit);
            if (totals.value() < best) {
                best = totals.value();
                given = entries;
            }
        }
    }

    private void trace(int last, int from, int[] entries) {
        int total = from;
        for (int g = last; g >= 0; g--) {
            entries[g] = stages.get(g).entry[total];
            total = stages.get(g).from[total];
        }
    }

    private int[] entries() {
        if (given != null) {
            return given;
        }
        int[] entries = new int[groups.size()];
        if (foundAt >= 0) {
            entries[foundAt] = foundEntry;
        }
        trace(foundAt - 1, foundFrom, entries);
        relaxation.complete(foundAt + 1, foundSteps, entries);
        return entries;
    }

    /** The weight, value and charges of one choice, entry by entry, for trying single changes. */
    private static final class ChoiceTotals {
        private static final int PASSES = 3;

        private final List<Group> groups;
        private final int[] entries;

        /** The charges to the accounts of each group's block, shared by the block. */
        private final long[][] charges;

        private long value;
        private long weight;

        ChoiceTotals(List<Group> groups, int[] entries) {
            this.groups = groups;
            this.entries = entries;
            this.charges = new long[entries.length][];
            for (int g = 0; g < entries.length; g++) {
                Group group = groups.get(g);
                charges[g] = g > 0 && group.bounds.equals(groups.get(g - 1).bounds)
                        ? charges[g - 1]
                        : new long[group.bounds.accounts().size()];
                add(g, entries[g], 1);
            }
        }

        private void add(int g, int entry, int sign) {
            Group group = groups.get(g);
            value += sign * group.value[entry];
            weight += sign * group.weight[entry];
            if (group.account[entry] >= 0) {
                charges[g][group.account[entry]] += sign * group.charge[entry];
            }
        }

        long value() {
            return value;
        }

        boolean isAllowed(long limit) {
            if (weight > limit) {
                return false;
            }
            for (int g = 0; g < entries.length; g++) {
                for (int a = 0; a < charges[g].length; a++) {
                    if (charges[g][a] > groups.get(g).bounds.left(a)) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** Gives every group in turn the best entry that the others leave room for, a few times. O(items) a pass. */
        void improve(long limit) {
            boolean changed = true;
            for (int pass = 0; pass < PASSES && changed; pass++) {
                changed = false;
                for (int g = 0; g < entries.length; g++) {
                    int before = entries[g];
                    add(g, before, -1);
                    for (int entry = 0; entry < groups.get(g).size(); entry++) {
                        if (groups.get(g).value[entry] < groups.get(g).value[entries[g]] && fits(g, entry, limit)) {
                            entries[g] = entry;
                            changed = true;
                        }
                    }
                    add(g, entries[g], 1);
                }
            }
        }

        private boolean fits(int g, int entry, long limit) {
            Group group = groups.get(g);
            int account = group.account[entry];
            return group.weight[entry] <= limit - weight
                    && (account < 0 || group.charge[entry] <= group.bounds.left(account) - charges[g][account]);
        }
    }
}
