package io.slotwise.core.window.baseline;

import io.slotwise.core.slot.Offer;

/**
 * A slot as in the papers: an interval of one node of which one pod may use any part. It is free or taken as a whole (k
 * is 0 or 1), however many pods the node could hold at once.
 *
 * @param start first second that the pod may use, since the epoch
 * @param end first second after the last one that it may use, since the epoch
 */
public record FreeSlot(Offer offer, long start, long end) {
    public FreeSlot {
        if (start >= end) {
            throw new IllegalArgumentException("The start (%d) of a slot of node (%s) must lie before its end (%d)."
                    .formatted(start, offer.node(), end));
        }
    }

    /** Returns whether a pod that starts at {@code second}, not before this slot, ends within the slot. */
    boolean lastsFrom(long second) {
        return end - second >= offer.duration();
    }
}
