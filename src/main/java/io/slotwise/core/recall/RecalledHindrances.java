package io.slotwise.core.recall;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What is known to be in the way of gangs: of which of them there was no second at which all pods had room, and which
 * windows could not start sooner on their own nodes. Safe for threads as long as no caller changes the free capacity
 * meanwhile.
 */
final class RecalledHindrances {
    private final Timeline timeline;
    private final RoomChanges changes;
    private final GangDurations durations;
    private final Map<GangId, PlanMemory.Crowded> crowded = Collections.synchronizedMap(new HashMap<>());
    private final Map<GangId, PlanMemory.Still> still = Collections.synchronizedMap(new HashMap<>());

    RecalledHindrances(Timeline timeline, RoomChanges changes, GangDurations durations) {
        this.timeline = timeline;
        this.changes = changes;
        this.durations = durations;
    }

    /** Begins with what is known of these gangs. */
    void begin(PlanMemory.Hindrances before, Predicate<GangId> which) {
        copy(before.crowded(), crowded, which);
        copy(before.still(), still, which);
    }

    private static <T> void copy(Map<GangId, T> from, Map<GangId, T> to, Predicate<GangId> which) {
        from.forEach((gang, what) -> {
            if (which.test(gang)) {
                to.put(gang, what);
            }
        });
    }

    /** What is left to the next cycle, which knows the departures since there had been so many. */
    PlanMemory.Hindrances since(long from) {
        Map<GangId, PlanMemory.Crowded> full = new HashMap<>(crowded);
        full.values().removeIf(what -> what.seen() < from);
        Map<GangId, PlanMemory.Still> firm = new HashMap<>(still);
        firm.values().removeIf(what -> what.seen() < from);
        return new PlanMemory.Hindrances(full, firm);
    }

    /**
     * Up to which second within these terms it is known that at none all pods of the gang have room, on whichever
     * nodes, at every instant until the first of them could end, its own window's room being free.
     *
     * <p>It is up to a second if it was within terms that leave as much open, and on every node on which a holder has
     * given up room since not one of its pods has room at any second for which that was. Proof: on any other node, and
     * at any other second, there is no more room than there was, for as many pods at most; here there is for none. A
     * node that is another one than before may be one on which pods end sooner, so nothing is known then.
     *
     * @param gang whose pods all ask for the same
     * @param own that has its room in the timeline
     * @return before the earliest second: it is not known of any
     */
    long crowdedUntil(Gang gang, Window own, SlotTerms sought) {
        changes.settle();
        long unknown = sought.earliest() - 1;
        PlanMemory.Crowded what = crowded.get(gang.id());
        if (what == null
                || !changes.knowsSince(what.seen())
                || !what.gang().equals(gang)
                || !what.isAbout(sought)
                || !changes.holdsOnly(gang, own)) {
            return unknown;
        }
        SlotTerms known = sought.within(what.terms().latest(), sought.deadline());
        long end = known.latest() + durations.longest(gang);
        for (RoomChanges.Left departure : changes.since(what.seen())) {
            if (departure.isOfOtherThan(gang) && mayMakeRoom(gang, own, departure, sought, end)) {
                return unknown;
            }
        }
        noteCrowded(gang, own, known);
        return known.latest();
    }

    private boolean mayMakeRoom(Gang gang, Window own, RoomChanges.Left departure, SlotTerms sought, long end) {
        RoomDeparture room = departure.room();
        if (room.from() == Long.MIN_VALUE) {
            return true;
        }
        long from = Math.max(sought.earliest(), room.from() - timeline.turnover());
        long last = Math.min(end, room.to()) - 1;
        return departure.position() >= 0
                && from <= last
                && NewWindows.own(timeline.nodes().get(departure.position()), own, gang, timeline)
                                .starts(gang.request().resources(), 1, from, last)
                        != null;
    }

    /** It is so now within all of these terms; they may leave no second. */
    void noteCrowded(Gang gang, Window own, SlotTerms sought) {
        changes.settle();
        if (sought.earliest() <= sought.latest() && changes.holdsOnly(gang, own)) {
            crowded.put(gang.id(), new PlanMemory.Crowded(gang, sought, changes.seen()));
        }
    }

    /**
     * Whether it is known that a window cannot start sooner on its own nodes from a second on, its own room being free.
     *
     * <p>It is if that was so from no later second on, and no holder has given up room on these nodes since that a
     * sooner start could use. Proof: it would have all its room on these nodes, between that second and the end of the
     * last turnover of the window as it is; there others hold no less than they did then. A node that is another one
     * than before counts as given up for all times.
     *
     * @param window that has its room in the timeline
     */
    boolean isStill(Gang gang, Window window, SlotTerms sought) {
        changes.settle();
        PlanMemory.Still what = still.get(gang.id());
        if (what == null
                || !changes.knowsSince(what.seen())
                || what.earliest() > sought.earliest()
                || !what.window().equals(window)
                || !what.gang().equals(gang)
                || !changes.holdsOnly(gang, window)) {
            return false;
        }
        if (what.seen() == changes.seen()) {
            return true;
        }
        long end = window.end() + timeline.turnover();
        for (Placement seat : window.placements()) {
            if (changes.hasLeft(seat.node(), gang, what.seen(), new Interval(sought.earliest(), end))) {
                return false;
            }
        }
        noteStill(gang, window, sought);
        return true;
    }

    /** It is so now; of a gang whose pods look at others nothing is noted. */
    void noteStill(Gang gang, Window window, SlotTerms sought) {
        if (gang.hasRules()) {
            return;
        }
        changes.settle();
        if (changes.holdsOnly(gang, window)) {
            still.put(gang.id(), new PlanMemory.Still(gang, window, sought.earliest(), changes.seen()));
        }
    }
}
