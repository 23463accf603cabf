package io.slotwise.core.window.sweep;

import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.window.units.SlotEvents;
import io.slotwise.core.window.units.UnitRanking;

/**
 * The pass for gangs whose pods are all alike: the free units are ranked by cost.
 *
 * <p>See {@link SlotEvents} and {@link UnitRanking}. With m changes and U units that they bring and take, the pass
 * takes O(m + U) with flat prices; U = m where a node takes one pod. Each evaluation takes O(c + n) more with c classes
 * of nodes on price calendars. The general scheme is AEP of the paper on AEP, section 2.1, which scans the whole
 * extended window at each of its steps: O(m N) for N nodes.
 */
public final class UniformSweep extends SlotSweep {
    private final SlotList slots;
    private final int units;
    private final UnitRanking ranking;
    private final SlotEvents events;

    /** A pass for windows of {@code units} units. */
    public UniformSweep(SlotList slots, int units) {
        this.slots = slots;
        this.units = units;
        this.ranking = new UnitRanking(slots, units, null, 1);
        this.events = new SlotEvents(slots, units, ranking.breakpoints());
    }

    @Override
    void rewind() {
        events.rewind();
        ranking.rewind();
    }

    @Override
    public boolean advance() {
        if (!events.advance()) {
            return false;
        }
        while (events.next()) {
            ranking.add(events.node(), events.added());
        }
        ranking.advance(events.from());
        return true;
    }

    @Override
    void retire(int node) {
        int units = events.retire(node);
        if (units > 0) {
            ranking.add(node, -units);
        }
    }

    @Override
    public long from() {
        return events.from();
    }

    @Override
    public long to() {
        return events.to();
    }

    @Override
    public boolean enough() {
        return ranking.enough();
    }

    @Override
    public boolean moves() {
        return ranking.moves() && events.to() > events.from();
    }

    @Override
    public long cheapest(long t, long limit) {
        return ranking.lowest(t);
    }

    @Override
    long atLeast(long price) {
        return ranking.moves() ? Long.MIN_VALUE : ranking.atLeast(price);
    }

    /** Unknown without moving prices: computing the bound would take longer than it helps. */
    @Override
    long least() {
        if (!ranking.hasMoving()) {
            return Long.MIN_VALUE;
        }
        return ranking.least(
                slots.latest(), Math.min(units, Offers.of(slots.offers()).most()));
    }

    /** Returns how many units of this node are free in the segment, at most n. */
    public int free(int node) {
        return Math.max(events.held(node), 0);
    }
}
