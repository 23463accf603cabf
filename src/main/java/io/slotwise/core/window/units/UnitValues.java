package io.slotwise.core.window.units;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The least that a pod on each node adds to the cost and the delay of a window at any start. It is the minimum over t
 * of its cost at second t and its part of the value of the seconds from the first one to t.
 *
 * <p>A window of n pods that starts at second t costs what they cost then. Its delay is worth v (t - first) more than
 * that of a start at the first second, v being the value of time. Where v falls, the delay is worth more by no less
 * than the delay of the longest pod of all, since later seconds add less. An n-th of that, rounded down, is counted
 * with each pod. So the sum of n pods' worths is never more than what a window adds. Where prices fall later, that is
 * tighter than the least cost of a pod at any time.
 *
 * <p>A cost is linear in the start between the seconds at which the rate changes at its start or its end, and the delay
 * is concave, so their sum is least at one of those. O(N) for N nodes, and O(b) cost evaluations for each class of
 * equal rate and duration with b breakpoints.
 */
public final class UnitValues {
    private final Gang gang;
    private final Offers offers;
    private final long earliest;
    private final long latest;
    private final long longest;
    private final Map<Kind, Long> known = new HashMap<>();

    private record Kind(long duration, StepFunction rate) {}

    private UnitValues(Gang gang, Offers offers, long earliest, long latest) {
        this.gang = gang;
        this.offers = offers;
        this.earliest = earliest;
        this.latest = latest;
        this.longest = IntStream.range(0, offers.size())
                .mapToLong(offers::duration)
                .max()
                .orElse(0);
    }

    /** Returns the worths of all these nodes, 1/3600 millionths. */
    public static long[] of(Gang gang, Offers offers, long earliest, long latest) {
        long[] all = new long[offers.size()];
        Arrays.setAll(all, offers.areFlat() ? offers::leastCost : new UnitValues(gang, offers, earliest, latest)::of);
        return all;
    }

    private long of(int node) {
        if (offers.isFlat(node, earliest, latest)) {
            return offers.leastCost(node);
        }
        Offer offer = offers.get(node);
        return known.computeIfAbsent(new Kind(offer.duration(), offer.rate()), _ -> least(offer));
    }

    private long least(Offer offer) {
        long least = at(offer, earliest);
        StepFunction rate = offer.rate();
        for (int i = 1; i < rate.pieces(); i++) {
            long change = rate.start(i);
            least = Math.min(least, Math.min(at(offer, change), at(offer, change - offer.duration())));
        }
        return Math.min(least, at(offer, latest));
    }

    /** Returns the worth at a second at which windows may start; at another second, more than anything. */
    private long at(Offer offer, long t) {
        if (t < earliest || t > latest) {
            return Long.MAX_VALUE;
        }
        long part = (gang.delay(t + longest) - gang.delay(earliest + longest)) / gang.size();
        return Window.sum(offer.cost(t).microSecondsPerHour(), part);
    }
}
