package io.slotwise.core.window.sweep;

import io.slotwise.core.window.units.SlotEvents;
import io.slotwise.core.window.units.UnitRanking;
import java.util.Arrays;

/**
 * Nodes by the value of a unit and then its cost, to leave out those that no knapsack looks at: of units of one value
 * only the cheapest n + 1 can be among the n + 1 least by any sum of multiples of value and cost, ties going to the
 * cost and then the node. Nodes whose cost moves with the start are never left out.
 *
 * <p>O(N log N) to make for N nodes, O(values x n) to ask where nodes are mostly free, O(N) where they are not.
 */
final class CheapestOfValue {
    private static final int INDEX_BITS = 20;
    private static final int VALUE_SHIFT = 2 * INDEX_BITS;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    /** Nodes that always cost the same, by value, cost and index. */
    private final int[] flat;

    /** Where each value begins among them, and the end. */
    private final int[] begins;

    private final int[] moving;
    private final int[] chosen;
    private int size;

    /**
     * Sorts them.
     *
     * @param value the nodes ranked by the value of a unit, none of which moves
     * @param cost the nodes ranked by the cost of a unit
     * @param nodes how many, at most 2^20
     */
    CheapestOfValue(UnitRanking value, UnitRanking cost, int nodes) {
        long[] keys = new long[nodes];
        int[] others = new int[nodes];
        int n = 0;
        int m = 0;
        for (int i = 0; i < nodes; i++) {
            if (cost.isFlat(i)) {
                keys[n++] = (long) value.rank(i) << VALUE_SHIFT | (long) cost.rank(i) << INDEX_BITS | i;
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

    /**
     * Chooses nodes with free units.
     *
     * @param changes what is free now
     * @param units that are looked for, n
     */
    void choose(SlotEvents changes, int units) {
        size = 0;
        for (int value = 0; value + 1 < begins.length; value++) {
            long kept = 0;
            for (int i = begins[value]; i < begins[value + 1] && kept <= units; i++) {
                kept += take(flat[i], changes);
            }
        }
        for (int node : moving) {
            take(node, changes);
        }
        Arrays.sort(chosen, 0, size);
    }

    private int take(int node, SlotEvents changes) {
        int free = Math.max(changes.held(node), 0);
        if (free > 0) {
            chosen[size++] = node;
        }
        return free;
    }

    /** How many nodes were chosen. */
    int size() {
        return size;
    }

    /** The i-th of them, by index. */
    int node(int i) {
        return chosen[i];
    }
}
