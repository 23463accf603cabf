package io.slotwise.core.window.sweep;

import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import java.util.Arrays;
import java.util.List;

/** The nodes by duration, the longest first, to be taken out of a pass in that order: each node leaves once. */
public final class DurationClasses {
    private static final int INDEX_BITS = 24;

    private final long[] byDuration;
    private int alive;

    /** All nodes. At most 2^24 of them, and durations below 2^39 seconds. */
    public DurationClasses(List<Offer> offers) {
        Offers nodeOffers = Offers.of(offers);
        this.byDuration = new long[offers.size()];
        for (int i = 0; i < byDuration.length; i++) {
            byDuration[i] = nodeOffers.duration(i) << INDEX_BITS | i;
        }
        Arrays.sort(byDuration);
        this.alive = byDuration.length;
    }

    int size() {
        return byDuration.length;
    }

    /** The {@code i}-th shortest node's index. */
    public int node(int i) {
        return (int) byDuration[i] & ((1 << INDEX_BITS) - 1);
    }

    /** The {@code i}-th shortest node's duration, seconds. */
    public long duration(int i) {
        return byDuration[i] >>> INDEX_BITS;
    }

    /** The longest duration that is left, seconds; 0 if no node is. */
    long longest() {
        return alive == 0 ? 0 : byDuration[alive - 1] >>> INDEX_BITS;
    }

    /** Takes all nodes out of a pass that need longer than {@code duration} seconds; another pass has them still. */
    void retireLonger(long duration, SlotSweep sweep) {
        for (int i = alive - 1; i >= 0 && byDuration[i] >>> INDEX_BITS > duration; i--) {
            sweep.retire((int) byDuration[i] & ((1 << INDEX_BITS) - 1));
        }
    }

    /** Takes all nodes out of the pass that need {@code duration} seconds or longer. */
    void retire(long duration, SlotSweep sweep) {
        while (alive > 0 && byDuration[alive - 1] >>> INDEX_BITS >= duration) {
            sweep.retire((int) byDuration[--alive] & ((1 << INDEX_BITS) - 1));
        }
    }
}
