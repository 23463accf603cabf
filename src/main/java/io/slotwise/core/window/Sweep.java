package io.slotwise.core.window;

import io.slotwise.core.slot.SlotList;

/**
 * One pass over the slots of a request in time order, with the free units ranked by cost: the skeleton of the exact searches.
 *
 * <p>It goes in segments of seconds on which the free units stay the same and every unit's cost is linear in the start; see
 * {@link Changes} and {@link Ranking}. With m changes, U units that they bring and take (U = m where a node takes one pod), and
 * c classes of nodes on price calendars: O(m + U) for the pass with flat prices, and O(c + n) more for each evaluation
 * otherwise. The general scheme is AEP of V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and
 * Co-allocation Algorithms for Economic Scheduling in Distributed Computing" (2013), section 2.1, which looks at the whole
 * extended window at each of its steps: O(m N) for N nodes.
 */
final class Sweep {
    private final Ranking cost;
    private final Changes changes;

    /**
     * Prepares the pass.
     *
     * @param slots the slots of all nodes
     * @param units how many units a window needs, n
     */
    Sweep(SlotList slots, int units) {
        this.cost = new Ranking(slots, units, null, 1);
        this.changes = new Changes(slots, units, cost.breakpoints());
    }

    /** Moves on to the next segment; false behind the last one. */
    boolean advance() {
        if (!changes.advance()) {
            return false;
        }
        while (changes.next()) {
            cost.add(changes.node(), changes.added());
        }
        cost.advance(changes.from());
        return true;
    }

    /** Takes a node out of the pass for good. */
    void retire(int node) {
        int units = changes.retire(node);
        if (units > 0) {
            cost.add(node, -units);
        }
    }

    /** How many units of this node are free in the segment, at most n. */
    int free(int node) {
        return Math.max(changes.held(node), 0);
    }

    /** First second of the segment. */
    long from() {
        return changes.from();
    }

    /** Last second of the segment. */
    long to() {
        return changes.to();
    }

    /** Whether there are enough units for a window. */
    boolean enough() {
        return cost.enough();
    }

    /** Whether the cost can differ between the seconds of the segment. */
    boolean moves() {
        return cost.moves() && changes.to() > changes.from();
    }

    /** What the cheapest window costs that starts at second {@code t} of the segment. */
    long cheapest(long t) {
        return cost.lowest(t);
    }

    /**
     * The first second of the segment, not before {@code t}, at which a window costs at most {@code limit}; {@link
     * Long#MAX_VALUE} if there is none up to {@code last}. If {@code t} itself is over the limit, the seconds within it are a
     * suffix, since the least cost is concave: bisection.
     */
    long firstWithin(long limit, long t, long last) {
        if (!enough()) {
            return Long.MAX_VALUE;
        }
        if (cheapest(t) <= limit) {
            return t;
        }
        if (last == t || !moves() || cheapest(last) > limit) {
            return Long.MAX_VALUE;
        }
        long over = t;
        long within = last;
        while (within - over > 1) {
            long middle = over + (within - over) / 2;
            if (cheapest(middle) <= limit) {
                within = middle;
            } else {
                over = middle;
            }
        }
        return within;
    }
}
