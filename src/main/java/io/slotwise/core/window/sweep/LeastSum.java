package io.slotwise.core.window.sweep;

import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.window.knapsack.UnitKnapsack;
import io.slotwise.core.window.knapsack.UnitKnapsack.Choice;
import io.slotwise.core.window.units.SlotEvents;
import io.slotwise.core.window.units.UnitRanking;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the window with the least sum of a figure that each unit has at any start: processor time or energy.
 *
 * <p>At every second this is a knapsack of n units under the budget. Most segments need no knapsack: two more rankings
 * maintain the sum of the n least values, and the bound of a Lagrangian relaxation with the multipliers of the last
 * knapsack. A segment whose bound is not below the best sum so far cannot improve on it. A choice's cost is linear
 * within a segment, so a choice that is affordable somewhere in it is so on its first or last second. Both are
 * evaluated. If only the last one is better, bisection finds the first second with as small a sum. A knapsack only
 * considers few nodes of each value, see {@link CheapestOfValue}.
 *
 * <p>Exact as long as {@link UnitKnapsack} is; otherwise the search reports it. O(m + U), see {@link SlotSweep}, for
 * three rankings, O(N log N) for each change of the multipliers, plus the knapsacks, of which there are about as many
 * as improvements.
 *
 * <p>Source: the paper on AEP, section 2.1, the problem of one step of AEP with z the value; the paper solves it by a
 * random window ({@code minProcTime}), which stays as a baseline.
 */
public final class LeastSum implements CriterionSearch {
    private final Figure figure;

    /** After a bounded knapsack, a sum below which there is certainly no window. */
    private long missed = Long.MAX_VALUE;

    /** The figure of a unit is not negative. */
    public LeastSum(Figure figure) {
        this.figure = figure;
    }

    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        Pass pass = new Pass(search, budget.microSecondsPerHour());
        while (pass.best > search.least() && pass.events.advance()) {
            pass.step();
        }
        if (missed < pass.best) {
            search.bound();
        }
        return pass.selection();
    }

    private final class Pass {
        private final SlotList slots;
        private final Offers offers;
        private final int units;
        private final long limit;
        private final long[] values;
        private final UnitRanking costRanking;
        private final UnitRanking value;
        private final SlotEvents events;
        private final UnitKnapsack knapsack;

        /** Created before the first knapsack, with the costs of units whose cost does not move. */
        private @Nullable CheapestOfValue cheapest;

        private long[] costs = {};

        /** A lower bound of the sum. */
        private final long least;

        /** The ranking by the multipliers of the last knapsack; null before the first. */
        private @Nullable UnitRanking boundRanking;

        private long a;
        private long b;

        /** The number of knapsacks without a result since the multipliers were last taken. */
        private int vain;

        private int patience = 1;

        private long best;
        private long start;
        private @Nullable Choice choice;

        Pass(SlotSearch search, long limit) {
            this.slots = search.slots();
            this.offers = Offers.of(slots.offers());
            this.units = search.size();
            this.limit = limit;
            this.least = search.least();
            this.best = search.most() == Long.MAX_VALUE ? Long.MAX_VALUE : search.most() + 1;
            this.values = new long[offers.size()];
            Arrays.setAll(values, i -> offers.figure(figure, i));
            this.costRanking = new UnitRanking(slots, units, null, 1);
            this.value = new UnitRanking(slots, units, values, 0);
            this.events = new SlotEvents(slots, units, costRanking.breakpoints());
            this.knapsack = new UnitKnapsack(values, units, limit, costRanking.largestKey());
        }

        void step() {
            while (events.next()) {
                costRanking.add(events.node(), events.added());
                value.add(events.node(), events.added());
                if (boundRanking != null) {
                    boundRanking.add(events.node(), events.added());
                }
            }
            long from = events.from();
            long to = events.to();
            costRanking.advance(from);
            if (boundRanking != null) {
                boundRanking.advance(from);
            }
            if (!costRanking.enough() || value.lowest(from) >= best) {
                return;
            }
            look(from);
            if (best > least && costRanking.moves() && to > from && look(to)) {
                firstAsGood(from, to);
            }
        }

        /** Returns whether a window that starts at second {@code t} is better than the best so far. */
        private boolean look(long t) {
            if (costRanking.lowest(t) > limit
                    || (boundRanking != null && boundRanking.lowest(t) - b * limit > a * (best - 1))) {
                return false;
            }
            Choice foundChoice = choiceAt(t, best);
            if (foundChoice != null) {
                best = foundChoice.value();
                start = t;
                choice = foundChoice;
            } else {
                vain++;
            }
            if (boundRanking == null || vain >= patience) {
                takeMultipliers(t);
            }
            return foundChoice != null;
        }

        /** Takes the bound of the last knapsack for judging segments. */
        private void takeMultipliers(long t) {
            if (knapsack.costFactor() == 0 || (knapsack.valueFactor() == a && knapsack.costFactor() == b)) {
                return;
            }
            vain = 0;
            patience *= 2;
            a = knapsack.valueFactor();
            b = knapsack.costFactor();
            long[] scaled = new long[values.length];
            Arrays.setAll(scaled, i -> a * values[i]);
            boundRanking = new UnitRanking(slots, units, scaled, b);
            for (int i = 0; i < values.length; i++) {
                if (events.held(i) > 0) {
                    boundRanking.add(i, events.held(i));
                }
            }
            boundRanking.advance(Math.min(t, events.from()));
        }

        /** Finds the first second after {@code from} with a window as good as the one at {@code to}. */
        private void firstAsGood(long from, long to) {
            long without = from;
            long with = to;
            while (with - without > 1) {
                long middle = without + (with - without) / 2;
                Choice foundChoice = choiceAt(middle, best + 1);
                if (foundChoice == null) {
                    without = middle;
                } else {
                    with = middle;
                    choice = foundChoice;
                }
            }
            start = with;
        }

        private @Nullable Choice choiceAt(long t, long below) {
            CheapestOfValue value = cheapest == null ? ranked() : cheapest;
            value.choose(events, units);
            knapsack.clear();
            for (int i = 0; i < value.size(); i++) {
                int node = value.node(i);
                knapsack.offer(node, events.held(node), costRanking.isFlat(node) ? costs[node] : offers.cost(node, t));
            }
            Choice choice = knapsack.below(below);
            missed = Math.min(missed, knapsack.missed());
            return choice;
        }

        private CheapestOfValue ranked() {
            costs = new long[values.length];
            Arrays.setAll(costs, i -> costRanking.isFlat(i) ? offers.cost(i, slots.earliest()) : 0);
            CheapestOfValue madeValue = new CheapestOfValue(value, costRanking, values.length);
            cheapest = madeValue;
            return madeValue;
        }

        @Nullable
        UnitSelection selection() {
            if (choice == null) {
                return null;
            }
            int[] taken = new int[values.length];
            choice.taken().forEach(takenNode -> taken[takenNode.node()] += takenNode.units());
            return UnitSelection.of(start, taken);
        }
    }

    /**
     * The nodes by the value of a unit and then its cost, to leave out nodes that no knapsack needs. Ties go to the
     * cost and then the node. So only the cheapest n + 1 units of one value can be among the n + 1 least by any sum of
     * multiples of value and cost. Nodes whose cost moves with the start are never left out.
     *
     * <p>O(N log N) to create for N nodes, O(values x n) to query where nodes are mostly free, O(N) where they are not.
     */
    private static final class CheapestOfValue {
        private static final int INDEX_BITS = 20;
        private static final int VALUE_SHIFT = 2 * INDEX_BITS;
        private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

        /** The nodes of constant cost, by value, cost and index. */
        private final int[] flat;

        /** The index of each value's first node among them, and the end. */
        private final int[] begins;

        private final int[] moving;
        private final int[] chosen;
        private int size;

        /** Sorts at most 2^20 nodes. */
        CheapestOfValue(UnitRanking value, UnitRanking ranking, int nodes) {
            long[] keys = new long[nodes];
            int[] others = new int[nodes];
            int n = 0;
            int m = 0;
            for (int i = 0; i < nodes; i++) {
                if (ranking.isFlat(i)) {
                    keys[n++] = (long) value.rank(i) << VALUE_SHIFT | (long) ranking.rank(i) << INDEX_BITS | i;
                } else {
                    others[m++] = i;
                }
            }
            Arrays.sort(keys, 0, n);
            this.moving = Arrays.copyOf(others, m);
            this.flat = new int[n];
            this.chosen = new int[nodes];
            int[] starts = new int[n + 1];
            int values = 0;
            for (int i = 0; i < n; i++) {
                flat[i] = (int) keys[i] & INDEX_MASK;
                if (i == 0 || keys[i] >>> VALUE_SHIFT != keys[i - 1] >>> VALUE_SHIFT) {
                    starts[values++] = i;
                }
            }
            starts[values] = n;
            this.begins = Arrays.copyOf(starts, values + 1);
        }

        /** Chooses the nodes with free units for a knapsack of {@code units}. */
        void choose(SlotEvents events, int units) {
            size = 0;
            for (int value = 0; value + 1 < begins.length; value++) {
                long kept = 0;
                for (int i = begins[value]; i < begins[value + 1] && kept <= units; i++) {
                    kept += take(flat[i], events);
                }
            }
            for (int node : moving) {
                take(node, events);
            }
            Arrays.sort(chosen, 0, size);
        }

        private int take(int node, SlotEvents events) {
            int free = Math.max(events.held(node), 0);
            if (free > 0) {
                chosen[size++] = node;
            }
            return free;
        }

        int size() {
            return size;
        }

        /** Returns the i-th chosen node, by index. */
        int node(int i) {
            return chosen[i];
        }
    }
}
