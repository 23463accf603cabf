package io.slotwise.core.window.sweep;

import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.window.units.SlotEvents;
import io.slotwise.core.window.units.UnitRanking;

/**
 * The pass for gangs whose pods all ask for the same: the free units are ranked by cost.
 *
 * <p>See {@link SlotEvents} and {@link UnitRanking}. With m changes, U units that they bring and take (U = m where a
 * node takes one pod), and c classes of nodes on price calendars: O(m + U) for the pass with flat prices, and O(c + n)
 * more for each evaluation otherwise. The general scheme is AEP of the paper on AEP, section 2.1, which looks at the
 * whole extended window at each of its steps: O(m N) for N nodes.
 */
public final class UniformSweep extends SlotSweep {
    private final SlotList slots;
    private final int units;
    private final UnitRanking cost;
    private final SlotEvents changes;

    /** A pass over the slots of all nodes for windows of so many units. */
    public UniformSweep(SlotList slots, int units) {
        this.slots = slots;
        this.units = units;
        this.cost = new UnitRanking(slots, units, null, 1);
        this.changes = new SlotEvents(slots, units, cost.breakpoints());
    }

    @Override
    void rewind() {
        changes.rewind();
        cost.rewind();
    }

    @Override
    public boolean advance() {
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
    public long from() {
        return changes.from();
    }

    @Override
    public long to() {
        return changes.to();
    }

    @Override
    public boolean enough() {
        return cost.enough();
    }

    @Override
    public boolean moves() {
        return cost.moves() && changes.to() > changes.from();
    }

    @Override
    public long cheapest(long t, long limit) {
        return cost.lowest(t);
    }

    @Override
    long atLeast(long price) {
        return cost.moves() ? Long.MIN_VALUE : cost.atLeast(price);
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
    public int free(int node) {
        return Math.max(changes.held(node), 0);
    }
}
