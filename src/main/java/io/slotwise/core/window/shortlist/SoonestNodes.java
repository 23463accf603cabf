package io.slotwise.core.window.shortlist;

import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.Quickselect;
import io.slotwise.core.slot.SlotTerms;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by the second at which a pod can start, or end, on them soonest. Nodes on which none can within the terms are
 * left out.
 *
 * <p>A bound of that second is known for every node without visiting its slots ({@link Offers#firstStarts}). A window
 * that starts (ends) at second t has all its pods on nodes whose bound is no later than t, since all start together and
 * none ends after the window does. So the best window by start (end) among all nodes up to a bound is the best of all
 * if it starts (ends) no later than the bound. The nodes up to the window's own start (end) then include every window
 * that is no worse. A node that is left out has no slots.
 *
 * <p>O(N) for N nodes to create, and for each query.
 */
public final class SoonestNodes {
    /** A bound that excludes no node. */
    public static final long ALL = Long.MAX_VALUE - 1;

    private static final long NEVER = Long.MAX_VALUE;

    private final long[] soonest;
    private int size;

    private SoonestNodes(long[] soonest, int size) {
        this.soonest = soonest;
        this.size = size;
    }

    /** Returns these nodes by the start of a pod, or its end, or null if nothing is known of them. */
    public static @Nullable SoonestNodes of(Offers offers, SlotTerms terms, boolean byEnd) {
        long[] first = offers.firstStarts();
        if (first == null) {
            return null;
        }
        long[] soonest = new long[first.length];
        int size = 0;
        for (int i = 0; i < first.length; i++) {
            long start = Math.max(first[i], terms.earliest());
            long duration = start > terms.latest() ? 0 : offers.duration(i);
            if (start > terms.latest() || start > terms.deadline() - duration) {
                soonest[i] = NEVER;
            } else {
                soonest[i] = byEnd ? start + duration : start;
                size++;
            }
        }
        return new SoonestNodes(soonest, size);
    }

    /**
     * Returns the second up to which there are at least about {@code nodes} nodes; {@link #ALL} if that is all of them.
     */
    public long bound(int nodes) {
        if (nodes >= size) {
            return ALL;
        }
        return nodes == 1 ? Arrays.stream(soonest).min().orElse(ALL) : Quickselect.smallest(soonest.clone(), nodes);
    }

    /** Returns whether the node at this position comes no later than a second. */
    public boolean isBy(int i, long second) {
        return soonest[i] <= second;
    }

    /** Returns how many nodes come no later than a second. */
    public int count(long second) {
        int n = 0;
        for (long one : soonest) {
            n += one <= second ? 1 : 0;
        }
        return n;
    }

    /** Returns the offers of nodes up to a second. Precondition: the offers are of the same nodes. */
    public List<Offer> until(long second, List<Offer> offers) {
        int[] positions = new int[soonest.length];
        int n = 0;
        for (int i = 0; i < soonest.length; i++) {
            if (soonest[i] <= second) {
                positions[n++] = i;
            }
        }
        return n == positions.length ? offers : Offers.of(offers).at(Arrays.copyOf(positions, n));
    }

    /** Excludes nodes that come after a second. */
    public void leaveOutAfter(long second) {
        leaveOut(i -> soonest[i] > second);
    }

    public void leaveOut(IntPredicate which) {
        size = 0;
        for (int i = 0; i < soonest.length; i++) {
            if (soonest[i] == NEVER || which.test(i)) {
                soonest[i] = NEVER;
            } else {
                size++;
            }
        }
    }
}
