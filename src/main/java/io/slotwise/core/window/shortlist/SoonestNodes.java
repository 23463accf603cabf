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
 * The nodes by the second at which a pod can start, or end, on them soonest; those on which none can within the terms
 * are left out.
 *
 * <p>A bound of such a second is known of every node without a look at its slots ({@link Offers#firstStarts}). A window
 * that starts (ends) at second t has all its pods on nodes whose bound is no later than t, since all start together and
 * none ends after the window does. So the best window by its start (its end) among all nodes up to a bound is the best
 * of all if it starts (ends) no later than the bound, and among all nodes up to its own start (end) lies no worse one,
 * nor any other that is as good. A node that is left out has no slots.
 *
 * <p>O(N) for N nodes to make, and for each question.
 */
public final class SoonestNodes {
    /** A bound that leaves no more out. */
    public static final long ALL = Long.MAX_VALUE - 1;

    private static final long NEVER = Long.MAX_VALUE;

    private final long[] soonest;
    private int size;

    private SoonestNodes(long[] soonest, int size) {
        this.soonest = soonest;
        this.size = size;
    }

    /** These nodes by the start of a pod, or its end; null: nothing is known of them. */
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

    /** The second up to which there are about so many nodes, or more; {@link #ALL} if that is no less than all. */
    public long bound(int nodes) {
        if (nodes >= size) {
            return ALL;
        }
        return nodes == 1 ? Arrays.stream(soonest).min().orElse(ALL) : Quickselect.smallest(soonest.clone(), nodes);
    }

    /** Whether the node at this position comes no later than a second. */
    public boolean isBy(int i, long second) {
        return soonest[i] <= second;
    }

    /** How many come no later than a second. */
    public int count(long second) {
        int n = 0;
        for (long one : soonest) {
            n += one <= second ? 1 : 0;
        }
        return n;
    }

    /** Those of these offers, which are the same nodes, up to a second. */
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

    /** Leaves those out that come after a second. */
    public void leaveOutAfter(long second) {
        leaveOut(i -> soonest[i] > second);
    }

    /** Leaves the nodes at these positions out. */
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
