package io.slotwise.core.window.sweep;

import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import java.util.Arrays;
import java.util.List;

/** The nodes by duration, the longest first, to be retired from a pass in that order. Each node leaves once. */
public final class DurationClasses {
    private static final int INDEX_BITS = 24;

    private final long[] byDuration;
    private int alive;

    /** Sorts the nodes: at most 2^24 of them, with durations below 2^39 seconds. */
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

    /** Returns the index of the {@code i}-th shortest node. */
    public int node(int i) {
        return (int) byDuration[i] & ((1 << INDEX_BITS) - 1);
    }

    /** Returns the duration of the {@code i}-th shortest node, seconds. */
    public long duration(int i) {
        return byDuration[i] >>> INDEX_BITS;
    }

    /** Returns the longest remaining duration, seconds; 0 if no node remains. */
    long longest() {
        return alive == 0 ? 0 : byDuration[alive - 1] >>> INDEX_BITS;
    }

    /** Retires all nodes with durations above {@code duration} from one pass; another pass still has them. */
    void retireLonger(long duration, SlotSweep sweep) {
        for (int i = alive - 1; i >= 0 && byDuration[i] >>> INDEX_BITS > duration; i--) {
            sweep.retire((int) byDuration[i] & ((1 << INDEX_BITS) - 1));
        }
    }

    /** Retires all nodes with durations of at least {@code duration} seconds. */
    void retire(long duration, SlotSweep sweep) {
        while (alive > 0 && byDuration[alive - 1] >>> INDEX_BITS >= duration) {
            sweep.retire((int) byDuration[--alive] & ((1 << INDEX_BITS) - 1));
        }
    }
}
