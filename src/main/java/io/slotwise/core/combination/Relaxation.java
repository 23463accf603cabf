package io.slotwise.core.combination;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A lower bound of what the remaining groups add: their linear relaxation, in which items may be mixed.
 *
 * <p>Only the lower convex hull of (weight, value) of each group matters. The relaxation starts with every group's
 * lightest item. The steps along the hulls, the steepest first, are taken until the capacity is used up, the last one
 * in part. Without that part the result is a choice of whole items: a feasible completion.
 *
 * <p>Each account is relaxed with a multiplier: an item's value is raised by multiplier times charge, and multiplier
 * times the balance is subtracted from the total. For any multipliers this is a lower bound. All figures are rounded to
 * the safe side.
 *
 * <p>O(s log s) once for s items, O(s) for each {@link #advanceTo}, O(1) amortized for bounds of falling capacities.
 *
 * <p>Source: P. Sinha, A. Zoltners, "The Multiple-Choice Knapsack Problem", Operations Research 27(3), 1979 (the
 * relaxation); M. Dyer, W. Riha, J. Walker, "A Hybrid Dynamic Programming/Branch-and-Bound Algorithm for the
 * Multiple-Choice Knapsack Problem", Journal of Computational and Applied Mathematics 58, 1995 (bounds inside the
 * recursion).
 */
final class Relaxation {
    /** The bound of a total that cannot be completed. */
    static final long INFEASIBLE = Long.MAX_VALUE;

    private static final Comparator<Step> STEEPEST = Step::bySlope;

    private final List<Step> steps = new ArrayList<>();
    private final List<Hull> hulls = new ArrayList<>();

    /** Prefix sums over the steps of groups that are not folded in yet. */
    private final long[] weights;

    private final long[] values;
    private final Step[] open;
    private int count;
    private int next;
    private long lightest;
    private long base;

    /** A step along a group's hull: a fall of the value for a rise of the weight. */
    private record Step(int group, int entry, long rise, long fall) {
        static int bySlope(Step a, Step b) {
            int slope = compareProducts(b.fall, a.rise, a.fall, b.rise);
            int group = slope != 0 ? slope : Integer.compare(a.group, b.group);
            return group != 0 ? group : Integer.compare(a.entry, b.entry);
        }
    }

    /** The first entry of a group's hull. */
    private record Hull(long weight, long value, int entry) {}

    /** Precondition: the groups are in the order in which they are folded in. */
    Relaxation(List<Group> groups, Multipliers multipliers) {
        for (int g = 0; g < groups.size(); g++) {
            hull(g, groups.get(g), multipliers);
        }
        steps.sort(STEEPEST);
        weights = new long[steps.size() + 1];
        values = new long[steps.size() + 1];
        open = new Step[steps.size()];
    }

    private void hull(int g, Group group, Multipliers multipliers) {
        int[] chain = new int[group.size()];
        long[] value = new long[group.size()];
        int length = 0;
        for (int i = 0; i < group.size(); i++) {
            value[i] = group.value[i] + multipliers.price(group, i);
            if (length > 0 && value[i] >= value[chain[length - 1]]) {
                continue;
            }
            if (length > 0 && group.weight[i] == group.weight[chain[length - 1]]) {
                length--;
            }
            while (length > 1 && isAbove(group.weight, value, chain[length - 2], chain[length - 1], i)) {
                length--;
            }
            chain[length++] = i;
        }
        hulls.add(new Hull(group.weight[chain[0]], value[chain[0]], chain[0]));
        for (int i = 1; i < length; i++) {
            steps.add(new Step(
                    g,
                    chain[i],
                    group.weight[chain[i]] - group.weight[chain[i - 1]],
                    value[chain[i - 1]] - value[chain[i]]));
        }
    }

    /** Returns whether the middle entry lies on or above the line between its neighbours. */
    private static boolean isAbove(long[] weight, long[] value, int left, int middle, int right) {
        return compareProducts(
                        value[left] - value[middle],
                        weight[right] - weight[middle],
                        value[middle] - value[right],
                        weight[middle] - weight[left])
                <= 0;
    }

    /** Compares a b with c d, none of them negative, without overflow. */
    private static int compareProducts(long a, long b, long c, long d) {
        int high = Long.compare(Math.multiplyHigh(a, b), Math.multiplyHigh(c, d));
        return high != 0 ? high : Long.compareUnsigned(a * b, c * d);
    }

    /** Leaves out the groups before this one. Capacities of later requests must fall. */
    void advanceTo(int group) {
        count = 0;
        lightest = 0;
        base = 0;
        for (int g = group; g < hulls.size(); g++) {
            lightest = saturated(lightest, hulls.get(g).weight());
            base += hulls.get(g).value();
        }
        for (Step step : steps) {
            if (step.group() >= group) {
                open[count] = step;
                weights[count + 1] = saturated(weights[count], step.rise());
                values[count + 1] = values[count] - step.fall();
                count++;
            }
        }
        next = count;
    }

    /** Returns the least that the rest may add within this capacity, which must not exceed the previous one. */
    long bound(long capacity) {
        long free = capacity - lightest;
        if (free < 0) {
            return INFEASIBLE;
        }
        while (weights[next] > free) {
            next--;
        }
        long whole = base + values[next];
        if (next == count) {
            return whole;
        }
        Step step = open[next];
        return whole - Math.min(step.fall(), new Ratio(step.fall(), step.rise()).of(free - weights[next]));
    }

    long completion() {
        return base + values[next];
    }

    int wholeSteps() {
        return next;
    }

    /** Returns the fall of the last bound for each further unit of capacity. */
    Ratio slope() {
        return next == count ? Ratio.ZERO : new Ratio(open[next].fall(), open[next].rise());
    }

    /** Writes the items of the groups from {@code group} on after the given number of whole steps. */
    void complete(int group, int wholeSteps, int[] entries) {
        advanceTo(group);
        for (int g = group; g < hulls.size(); g++) {
            entries[g] = hulls.get(g).entry();
        }
        for (int i = 0; i < wholeSteps; i++) {
            entries[open[i].group()] = open[i].entry();
        }
    }

    static long saturated(long a, long b) {
        long sum = a + b;
        return sum < a ? Long.MAX_VALUE : sum;
    }
}
