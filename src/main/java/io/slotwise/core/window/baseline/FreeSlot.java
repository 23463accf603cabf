package io.slotwise.core.window.baseline;

import io.slotwise.core.slot.Offer;

/**
 * A slot as the papers have it: a stretch of one node's time that one pod may use any part of. It is free or taken as a
 * whole (k is 0 or 1), however many pods the node could hold side by side.
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

    /** Whether a pod that starts at {@code second}, not before this slot, ends inside it or with it. */
    boolean lastsFrom(long second) {
        return end - second >= offer.duration();
    }
}
