package io.slotwise.core.window.units;

import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import java.util.List;
import java.util.OptionalLong;

/**
 * The first second from which on there is room for all pods of a gang at every instant, until the first of them could
 * end, whichever nodes have it at that instant.
 *
 * <p>A window needs nodes with room throughout; this asks only how much room there is in each second. So no window
 * starts earlier, and where every pod takes the whole of a node none of others that only change their nodes lets one
 * start earlier. Where they share nodes, such changes may make room for more pods than are counted here.
 *
 * <p>O(m log m) for m changes of the room until then of the nodes that have any, and O(N) for N nodes. The counting of
 * processors is that of conservative backfilling: A. W. Mu'alem, D. G. Feitelson, "Utilization, Predictability,
 * Workloads, and User Runtime Estimates in Scheduling the IBM SP2 with Backfilling", IEEE Transactions on Parallel and
 * Distributed Systems 12(6), 2001, section 2.
 */
public final class EarliestRoom {
    private static final long[] NO_BREAKPOINTS = {};
    private static final long NEVER = Long.MAX_VALUE;

    /** The part of the time that is looked at first, and by how much each look is longer than the one before. */
    private static final int FIRST_PART = 64;

    private static final int GROWTH = 4;

    private EarliestRoom() {}

    /**
     * The first such second.
     *
     * @param offers the nodes that the pods may use, all of which ask for the same
     * @param pods how many, positive
     * @param terms where the window may lie
     * @return seconds since the epoch; empty if there is none that the terms allow
     */
    public static OptionalLong second(List<Offer> offers, int pods, SlotTerms terms) {
        Offers figures = Offers.of(offers);
        long shortest = figures.least(Figure.DURATION);
        long latest = shortest == NEVER ? NEVER : Math.min(terms.latest(), terms.deadline() - shortest);
        if (latest == NEVER || latest < terms.earliest()) {
            return OptionalLong.empty();
        }
        if (isAtOnce(figures, pods, terms, shortest)) {
            return OptionalLong.of(terms.earliest());
        }
        long part = Math.max(1, (latest - terms.earliest()) / FIRST_PART);
        // Where no such second is found in one part, what begins in it ends too soon, and so it does for the next one.
        for (long from = terms.earliest(); ; part *= GROWTH) {
            long reach = Math.min(latest, from + part);
            SlotList room = at(
                    figures.withRoomBy(reach + shortest),
                    new SlotTerms(from, reach + shortest, terms.deadline(), terms.slotPrice()));
            OptionalLong first = first(new SlotEvents(room, pods, NO_BREAKPOINTS), pods, reach, shortest);
            if (first.isPresent() || reach == latest) {
                return first;
            }
            from = reach + 1;
        }
    }

    /** Whether enough nodes that have room at the first second have it as long as the shortest pod. */
    private static boolean isAtOnce(Offers figures, int pods, SlotTerms terms, long shortest) {
        long first = terms.earliest();
        SlotList room = new SlotList(
                figures.withRoomBy(first).stream()
                        .map(offer -> offer.lasting(shortest))
                        .toList(),
                terms.between(first, first));
        int free = 0;
        for (int i = 0; i < room.offers().size() && free < pods; i++) {
            free += Math.min(pods, room.countAt(i, first));
        }
        return free >= pods;
    }

    /** The room at each second, however long pods take. */
    public static SlotList at(List<Offer> offers, SlotTerms terms) {
        return new SlotList(offers.stream().map(offer -> offer.lasting(1)).toList(), terms);
    }

    private static OptionalLong first(SlotEvents changes, int pods, long latest, long seconds) {
        long free = 0;
        long since = NEVER;
        while (changes.advance()) {
            while (changes.next()) {
                free += changes.added();
            }
            if (free < pods) {
                since = NEVER;
            } else if (since == NEVER) {
                since = changes.from();
            }
            if (since != NEVER && since <= latest && changes.to() + 1 - since >= seconds) {
                return OptionalLong.of(since);
            }
        }
        return OptionalLong.empty();
    }
}
