package io.slotwise.core.window;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.Terms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The nodes that promise most by a criterion, to be searched before all others, and a proof that they were enough.
 *
 * <p>A node is ranked by the least that a unit on it can add to the criterion, then by what a unit costs at the first second,
 * then by name. The best window on the shortlist is the best of all
 *
 * <ol>
 *   <li>if any window with a unit on another node is worse: for the runtime and the finish, if the next node takes longer; for
 *       sums (cost, processor time, energy), if the next node's least and the n - 1 least of all are more;
 *   <li>or if such a window can only be as good, the one found starts at the first second, and none of its units costs more than
 *       one on the next node does then. Another window as good would start then, too; it has more units on other nodes, so one
 *       of the found window's units is free beside it, and takes the place of a unit on another node at no loss of the
 *       criterion and for less, or for the same on a node whose name comes before. One after the other all come to the shortlist.
 * </ol>
 *
 * <p>O(N) for N nodes.
 */
final class Shortlist {
    private final Criterion criterion;
    private final long earliest;
    private final List<Offer> offers;

    /** Whether no node is left out. */
    private final boolean whole;

    /** No window with a unit on a node that is left out has a lower value. */
    private final long leastValue;

    /** What a unit at the first second costs at least on a node that is left out and ranks next, 1/3600 millionths. */
    private final long nextCost;

    /** Whether the next node adds as little to the criterion as the first one. */
    private final boolean allAlike;

    /**
     * Chooses nodes.
     *
     * @param all nodes by name
     * @param criterion to be minimised
     * @param pods of the gang
     * @param size how many nodes are chosen; all of them if there are no more
     * @param earliest no window starts before this second
     */
    Shortlist(List<Offer> all, Criterion criterion, int pods, int size, long earliest) {
        this.criterion = criterion;
        this.earliest = earliest;
        this.whole = size >= all.size();
        if (whole) {
            this.offers = all;
            this.leastValue = Long.MAX_VALUE;
            this.nextCost = Long.MAX_VALUE;
            this.allAlike = true;
            return;
        }
        long[] values = new long[all.size()];
        long[] costs = new long[all.size()];
        Offers figures = Offers.of(all);
        for (int i = 0; i < values.length; i++) {
            values[i] = value(figures, i);
            costs[i] = figures.cost(i, earliest);
        }
        long[] smallest = values.clone();
        boolean[] chosen = chosen(values, costs, size, smallest);
        this.offers = new ArrayList<>(size);
        long first = Long.MAX_VALUE;
        long next = Long.MAX_VALUE;
        long cost = Long.MAX_VALUE;
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i]) {
                offers.add(all.get(i));
                first = Math.min(first, values[i]);
            } else if (values[i] < next || (values[i] == next && costs[i] < cost)) {
                next = values[i];
                cost = costs[i];
            }
        }
        this.nextCost = cost;
        this.allAlike = next == first;
        this.leastValue = switch (criterion) {
            case START -> earliest;
            case FINISH -> earliest + next;
            case RUNTIME -> next;
            case COST, PROCESSOR_TIME, ENERGY ->
                next + lowest(Arrays.copyOf(smallest, size), pods - 1, figures.most(), next);
        };
    }

    private long value(Offers offers, int i) {
        return switch (criterion) {
            case START -> 0;
            case FINISH, RUNTIME, PROCESSOR_TIME -> offers.duration(i);
            case COST -> offers.leastCost(i);
            case ENERGY -> offers.energy(i);
        };
    }

    /** The first {@code size} nodes by value, cost and index; the values come in any order, the {@code size} smallest first. */
    private static boolean[] chosen(long[] values, long[] costs, int size, long[] smallestFirst) {
        long lastValue = Quickselect.smallest(smallestFirst, size);
        long[] tied = new long[values.length];
        int ties = 0;
        int left = size;
        for (int i = 0; i < values.length; i++) {
            if (values[i] == lastValue) {
                tied[ties++] = costs[i];
            } else if (values[i] < lastValue) {
                left--;
            }
        }
        long lastCost = Quickselect.smallest(Arrays.copyOf(tied, ties), left);
        for (int i = 0; i < ties; i++) {
            left -= tied[i] < lastCost ? 1 : 0;
        }
        boolean[] chosen = new boolean[values.length];
        for (int i = 0; i < values.length; i++) {
            boolean last = values[i] == lastValue && costs[i] == lastCost;
            chosen[i] =
                    values[i] < lastValue || (values[i] == lastValue && costs[i] < lastCost) || (last && left-- > 0);
        }
        return chosen;
    }

    /**
     * The least sum of so many units' values.
     *
     * @param values of the nodes of the shortlist
     * @param most the most units on one node
     * @param next no other node has less
     */
    private static long lowest(long[] values, int units, int most, long next) {
        int nodes = Math.min(values.length, Math.ceilDiv(units, most));
        if (nodes == 0) {
            return 0;
        }
        Quickselect.smallest(values, nodes);
        Arrays.sort(values, 0, nodes);
        long sum = 0;
        int left = units;
        for (int i = 0; i < nodes; i++) {
            int taken = Math.min(left, most);
            sum += taken * values[i];
            left -= taken;
        }
        return sum + left * next;
    }

    /** The chosen nodes, by name. */
    List<Offer> offers() {
        return offers;
    }

    /** Whether the best window on these nodes is the best on all of them. */
    boolean settles(Window window) {
        long value = window.value(criterion);
        if (whole || leastValue > value) {
            return true;
        }
        return leastValue == value
                && window.start() == earliest
                && window.placements().stream()
                        .mapToLong(seat -> seat.cost().microSecondsPerHour())
                        .allMatch(cost -> cost < nextCost || (cost == nextCost && allAlike));
    }

    /** The terms of every window on all nodes that may be better than this one, which is the best on the chosen ones. */
    Terms better(Window window, Terms terms) {
        if (criterion == Criterion.FINISH) {
            return terms.within(terms.latest(), window.end());
        }
        return leastValue == window.value(criterion) ? terms.within(window.start(), terms.deadline()) : terms;
    }
}
