package io.slotwise.core.window.baseline;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ordered list of all slots of one request, which every algorithm of this package scans.
 *
 * <p>A slot is a maximal interval of one node, between the earliest start and the deadline, in which the request fits
 * once next to known pods. Excluded are the node's unavailable intervals and the seconds in which a pod pays more than
 * the limit of the terms. The turnover is part of the room: after the last usable second of a slot the node stays free
 * for as long. Slots that are too short for the pod are in the list too, as in the paper; the scan drops them.
 *
 * <p>Invariant: the slots are ordered by start, those of equal start by the node's name (the paper leaves that open),
 * and no two slots of a node share a second.
 *
 * <p>Building takes O(b + m log m) for b pieces of all the nodes' timelines and prices and m slots, {@link #without}
 * O(m).
 *
 * <p>Source: the paper on AEP, section 2.1.
 */
public final class FreeSlotList {
    private static final Comparator<FreeSlot> ORDER = Comparator.comparingLong(FreeSlot::start)
            .thenComparing(slot -> slot.offer().node());

    private final List<FreeSlot> slots;
    private final long latest;

    /** Excludes slots that begin after the last possible start of a window. */
    private FreeSlotList(List<FreeSlot> unordered, long latest) {
        this.slots = unordered.stream()
                .filter(slot -> slot.start() <= latest)
                .sorted(ORDER)
                .toList();
        this.latest = latest;
    }

    public static FreeSlotList of(List<Offer> offers, SlotTerms terms) {
        List<FreeSlot> slots = new ArrayList<>();
        for (Offer offer : offers) {
            for (Interval interval : usable(offer, terms)) {
                slots.add(new FreeSlot(offer, interval.start(), interval.end()));
            }
        }
        return new FreeSlotList(slots, terms.latest());
    }

    /** Returns all slots, ordered. Their number is the papers' m. */
    public List<FreeSlot> slots() {
        return slots;
    }

    /**
     * Returns the list without the intervals of a window and the turnover before and after each. The rest of a slot on
     * either side is a slot again.
     */
    FreeSlotList without(Window window) {
        Map<String, Placement> taken = new HashMap<>();
        window.placements().forEach(placement -> taken.put(placement.node(), placement));
        List<FreeSlot> left = new ArrayList<>();
        for (FreeSlot slot : slots) {
            Placement placement = taken.get(slot.offer().node());
            if (placement == null) {
                left.add(slot);
            } else {
                long turnover = slot.offer().timeline().turnover();
                add(left, slot.offer(), slot.start(), Math.min(slot.end(), placement.start() - turnover));
                add(left, slot.offer(), Math.max(slot.start(), placement.end() + turnover), slot.end());
            }
        }
        return new FreeSlotList(left, latest);
    }

    private static void add(List<FreeSlot> slots, Offer offer, long start, long end) {
        if (start < end) {
            slots.add(new FreeSlot(offer, start, end));
        }
    }

    /** Returns the seconds of one node that a pod may use, as maximal intervals in the order of time. */
    private static List<Interval> usable(Offer offer, SlotTerms terms) {
        List<Interval> usable = room(offer, terms);
        for (Interval interval : offer.timeline().node().unavailable()) {
            usable = cut(usable, interval.start(), interval.end());
        }
        StepFunction rate = offer.rate();
        for (int i = 0; terms.slotPrice() != null && i < rate.pieces(); i++) {
            if (rate.value(i) > terms.slotPrice().micros()) {
                usable = cut(usable, rate.start(i), rate.end(i));
            }
        }
        return usable;
    }

    /** Returns where the request fits between earliest start and deadline, each interval less the turnover. */
    private static List<Interval> room(Offer offer, SlotTerms terms) {
        NodeTimeline timeline = offer.timeline();
        List<Interval> room = new ArrayList<>();
        int[] pods = new int[timeline.pieces()];
        timeline.counts(offer.request(), 1, 0, pods.length, pods);
        int i = 0;
        while (i < timeline.pieces()) {
            int first = i;
            while (i < timeline.pieces() && pods[i] == 1) {
                i++;
            }
            if (i > first) {
                long end = i < timeline.pieces() ? timeline.start(i) - timeline.turnover() : Interval.FOREVER;
                add(room, Math.max(timeline.start(first), terms.earliest()), Math.min(end, terms.deadline()));
            }
            i++;
        }
        return room;
    }

    private static List<Interval> cut(List<Interval> intervals, long start, long end) {
        List<Interval> left = new ArrayList<>();
        for (Interval interval : intervals) {
            add(left, interval.start(), Math.min(interval.end(), start));
            add(left, Math.max(interval.start(), end), interval.end());
        }
        return left;
    }

    private static void add(List<Interval> intervals, long start, long end) {
        if (start < end) {
            intervals.add(new Interval(start, end));
        }
    }
}
