package io.slotwise.core.window;

import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;

/**
 * The pass for gangs whose pods all ask for the same: the free units are ranked by cost.
 *
 * <p>See {@link Changes} and {@link Ranking}. With m changes, U units that they bring and take (U = m where a node takes one pod), and
 * c classes of nodes on price calendars: O(m + U) for the pass with flat prices, and O(c + n) more for each evaluation
 * otherwise. The general scheme is AEP of V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and
 * Co-allocation Algorithms for Economic Scheduling in Distributed Computing" (2013), section 2.1, which looks at the whole
 * extended window at each of its steps: O(m N) for N nodes.
 */
final class UniformSweep extends Sweep {
    private final SlotList slots;
    private final int units;
    private final Ranking cost;
    private final Changes changes;

    /**
     * Prepares the pass.
     *
     * @param slots the slots of all nodes
     * @param units how many units a window needs, n
     */
    UniformSweep(SlotList slots, int units) {
        this.slots = slots;
        this.units = units;
        this.cost = new Ranking(slots, units, null, 1);
        this.changes = new Changes(slots, units, cost.breakpoints());
    }

    @Override
    void rewind() {
        changes.rewind();
        cost.rewind();
    }

    @Override
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

    @Override
    void retire(int node) {
        int units = changes.retire(node);
        if (units > 0) {
            cost.add(node, -units);
        }
    }

    @Override
    long from() {
        return changes.from();
    }

    @Override
    long to() {
        return changes.to();
    }

    @Override
    boolean enough() {
        return cost.enough();
    }

    @Override
    boolean moves() {
        return cost.moves() && changes.to() > changes.from();
    }

    @Override
    long cheapest(long t, long limit) {
        return cost.lowest(t);
    }

    /** Where no price moves it would take longer to tell than it helps. */
    @Override
    long least() {
        if (!cost.hasMoving()) {
            return Long.MIN_VALUE;
        }
        return cost.least(
                slots.latest(), Math.min(units, Offers.of(slots.offers()).most()));
    }

    /** How many units of this node are free in the segment, at most n. */
    int free(int node) {
        return Math.max(changes.held(node), 0);
    }
}
