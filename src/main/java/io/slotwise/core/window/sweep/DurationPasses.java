package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.units.LowestUnits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the window of the least value; ties go to the earliest, then the cheapest. The value is the sum of a function
 * of the cost, and a function of the start and the duration D of the longest pod. Neither decreases with the cost or
 * with D.
 *
 * <p>For each D the cheapest n units of the nodes that take no longer are the best of each second. D counts even if
 * none of them takes it, as such a window is found at least as well with its own duration. There is a pass for each D
 * over the nodes that take no longer, and only one pass if D makes no difference. The criterion determines which
 * seconds of a segment can be the best ({@link #look}).
 *
 * <p>Passes are ordered by the best that they can reach, so most of them never begin. A segment is skipped if the least
 * time part of its seconds plus the least cost of n units at any start exceeds the best value found. A pass ends where
 * no later second has a smaller time part. Invariant: what is skipped is no better than the best window found.
 *
 * <p>Values are 1/3600 millionths, exact. O(N log N + k (m + U)) for N nodes of k durations, see {@link SlotSweep};
 * mostly O(N log N + m + U).
 *
 * <p>Source: the general scheme is AEP of the paper on AEP, section 2.1, which has no criterion of this kind and no
 * passes by duration.
 */
abstract class DurationPasses {
    private final SlotSearch search;
    private final long limit;
    private final DurationClasses classes;

    /** A sweep for all passes, rewound for each; null before the first. */
    private @Nullable SlotSweep sweep;

    /** The longest duration in the current pass, seconds. */
    private long duration;

    /** The highest useful value. */
    private long value;

    /** The start of the best window, or {@link Long#MAX_VALUE} before the first. */
    private long start = Long.MAX_VALUE;

    private long cost = Long.MAX_VALUE;
    private long longest;

    DurationPasses(SlotSearch search, Cost budget) {
        this.search = search;
        this.limit = CriterionSearch.limit(budget);
        this.value = search.most();
        this.classes = new DurationClasses(search.offers());
    }

    /** Returns the part of the value from a cost, 1/3600 millionths. */
    abstract long ofCost(long cost);

    /** Returns the highest cost whose part is at most this. */
    abstract long mostCost(long part);

    /** Returns the least part of a start within [from, to] if the longest pod takes {@code duration} seconds. */
    abstract long ofTime(long duration, long from, long to);

    /** Returns whether from this second on a later start never makes the part smaller. */
    abstract boolean isRisingFrom(long second);

    abstract boolean isOfDuration();

    /**
     * Returns what a unit on each node adds at least to the value at any start, besides the least time part: its least
     * cost as in {@code costs}, or more.
     */
    abstract long[] worths(Offers offers, long[] costs);

    /** {@linkplain #offer Offers} every second of the segment at which a window of at most this cost can be best. */
    abstract void look(SlotSweep sweep, long most);

    /** Returns the seconds that no pod exceeds in the current pass. */
    final long duration() {
        return duration;
    }

    /** Returns the best window, or null if none is within the budget. */
    final @Nullable UnitSelection best() {
        for (Bound bound : bounds()) {
            if (bound.value > value) {
                break;
            }
            pass(bound);
        }
        return start == Long.MAX_VALUE ? null : UnitSelection.cheapestAt(start, longest);
    }

    /** Takes a window that starts at second {@code t} of the segment if it is better than the best so far. */
    final void offer(SlotSweep sweep, long t, long most) {
        long least = sweep.cheapest(t, most);
        if (least > most) {
            return;
        }
        long found = Window.sum(ofCost(least), ofTime(duration, t, t));
        boolean better = found != value
                ? found < value
                : t != start ? t < start : least != cost ? least < cost : duration > longest;
        if (better) {
            value = found;
            start = t;
            cost = least;
            longest = duration;
        }
    }

    /** The bounds of a pass: its longest duration, and lower bounds of the cost part and of the value. */
    private record Bound(long longest, long ofCost, long value) {
        static final Comparator<Bound> ORDER =
                Comparator.comparingLong(Bound::value).thenComparingLong(Bound::longest);
    }

    /** Returns a bound for each relevant duration with enough units, the most promising first. */
    private List<Bound> bounds() {
        Offers offers = Offers.of(search.offers());
        long earliest = search.slots().earliest();
        long latest = search.slots().latest();
        long[] costs = new long[offers.size()];
        Arrays.setAll(costs, offers::leastCost);
        long[] worths = worths(offers, costs);
        int[] shapeOf = search.shapeOf();
        LeastFigures leastCosts = new LeastFigures(search, offers.most(), costs);
        LeastFigures leastWorths =
                Arrays.equals(costs, worths) ? leastCosts : new LeastFigures(search, offers.most(), worths);
        List<Bound> bounds = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            int node = classes.node(i);
            leastCosts.add(shapeOf[node], node);
            if (leastWorths != leastCosts) {
                leastWorths.add(shapeOf[node], node);
            }
            long upTo = classes.duration(i);
            boolean last = i + 1 == classes.size() || (isOfDuration() && classes.duration(i + 1) > upTo);
            if (last && leastCosts.enough()) {
                long reach = Window.sum(ofCost(leastWorths.sum()), ofTime(upTo, earliest, latest));
                bounds.add(new Bound(upTo, ofCost(leastCosts.sum()), reach));
            }
        }
        bounds.sort(Bound.ORDER);
        return bounds;
    }

    private void pass(Bound bound) {
        duration = bound.longest;
        SlotSweep sweep = begun();
        while (sweep.advance()) {
            long from = sweep.from();
            long time = ofTime(duration, from, sweep.to());
            long reach = Math.max(Window.sum(bound.ofCost, time), search.least());
            boolean passedOver = reach > value || (reach == value && from > start);
            if (passedOver && isRisingFrom(from)) {
                return;
            }
            if (!passedOver && sweep.enough()) {
                look(sweep, Math.min(limit, mostCost(Window.sum(value, -time))));
            }
        }
    }

    private SlotSweep begun() {
        SlotSweep slotSweep = sweep;
        if (slotSweep == null) {
            slotSweep = search.sweep();
            sweep = slotSweep;
        } else {
            slotSweep.rewind();
        }
        classes.retireLonger(duration, slotSweep);
        return slotSweep;
    }

    /** The least sum of a figure over the pods of all shapes on the nodes so far. O(N log N) for all. */
    private static final class LeastFigures {
        private final long[] figure;
        private final long[] keys;
        private final int most;
        private final int[] pods;
        private final LowestUnits[] shapes;

        LeastFigures(SlotSearch search, int most, long[] figure) {
            this.figure = figure;
            this.most = most;
            this.keys = LowestUnits.distinct(figure);
            this.pods = search.shapes().stream()
                    .mapToInt(SlotSearch.ShapeOffers::pods)
                    .toArray();
            this.shapes =
                    Arrays.stream(pods).mapToObj(n -> new LowestUnits(keys, n)).toArray(LowestUnits[]::new);
        }

        void add(int shape, int node) {
            shapes[shape].add(Arrays.binarySearch(keys, figure[node]), Math.min(pods[shape], most));
        }

        boolean enough() {
            for (int shape = 0; shape < shapes.length; shape++) {
                if (shapes[shape].size() < pods[shape]) {
                    return false;
                }
            }
            return true;
        }

        long sum() {
            long sum = 0;
            for (LowestUnits units : shapes) {
                sum += units.sum();
            }
            return sum;
        }
    }
}
