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
 * The window of the least value, the earliest of them if there are several, and of those the cheapest, where the value
 * is the sum of two parts: one that the cost makes and that never falls with it, and one that the start and the
 * duration D of the longest pod make and that never falls with D.
 *
 * <p>Then for each D among the nodes' durations the cheapest n units of those that take no longer are the best of each
 * second, with D counted whether or not one of them takes it: a window with none is found as well as it is with its own
 * D. There is a pass for each D, over the nodes that take no longer; only one where D makes no difference. Which
 * seconds
 * of a segment can be the best is for the criterion to say ({@link #look}).
 *
 * <p>The passes go in the order of what they can reach at best, so that most of them are not begun; and a segment is
 * passed over where the least part that its seconds make and the least that n units cost whenever they start are more
 * than the best value found. Where no later second makes a smaller part the pass ends there. Invariant: what is not
 * looked at is no better than the best window found.
 *
 * <p>Values are 1/3600 millionths, exact. O(N log N + k (m + U)) for N nodes of k durations, see {@link SlotSweep};
 * mostly O(N log N + m + U).
 *
 * <p>Source: the general scheme is AEP of the paper on AEP, section 2.1, which has no criterion of this kind; the
 * passes by duration and their bounds are ours.
 */
abstract class DurationPasses {
    private final SlotSearch search;
    private final long limit;
    private final DurationClasses classes;

    /** One for all passes, begun anew for each; null: there was none yet. */
    private @Nullable SlotSweep sweep;

    /** In the pass that is under way no pod takes longer, seconds. */
    private long duration;

    /** No window of a higher value is of use. */
    private long value;

    /** Of the best window; {@link Long#MAX_VALUE}: none has been found. */
    private long start = Long.MAX_VALUE;

    private long cost = Long.MAX_VALUE;
    private long longest;

    /** Passes over this search for windows that cost no more than the budget. */
    DurationPasses(SlotSearch search, Cost budget) {
        this.search = search;
        this.limit = CriterionSearch.limit(budget);
        this.value = search.most();
        this.classes = new DurationClasses(search.offers());
    }

    /** The part of the value that a cost makes, 1/3600 millionths. */
    abstract long ofCost(long cost);

    /** A higher cost makes a larger part than this. */
    abstract long mostCost(long part);

    /** The least part that a start within [from, to] makes where the longest pod takes so many seconds. */
    abstract long ofTime(long duration, long from, long to);

    /** Whether no start from this second on makes a smaller part for being later. */
    abstract boolean isRisingFrom(long second);

    /** Whether the duration makes a difference. */
    abstract boolean isOfDuration();

    /**
     * What a unit on each node adds at least to the value, whenever it starts, beside the least part that the time
     * makes: {@code costs}, the least that each costs, or more.
     */
    abstract long[] worths(Offers offers, long[] costs);

    /** {@linkplain #offer Offers} every second of the segment in which a window for at most this cost can be best. */
    abstract void look(SlotSweep sweep, long most);

    /** In the pass that is under way no pod takes longer, seconds. */
    final long duration() {
        return duration;
    }

    /** The best window; null: none stays within the budget. */
    final @Nullable UnitSelection best() {
        for (Bound bound : bounds()) {
            if (bound.value > value) {
                break;
            }
            pass(bound);
        }
        return start == Long.MAX_VALUE ? null : UnitSelection.cheapestAt(start, longest);
    }

    /** Takes a window that starts at second {@code t} of the segment if it is better than the best one so far. */
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

    /**
     * No pod takes longer.
     *
     * @param ofCost no n units make a smaller part by their cost, whenever they start
     * @param value no window has a lower value
     */
    private record Bound(long longest, long ofCost, long value) {
        static final Comparator<Bound> ORDER =
                Comparator.comparingLong(Bound::value).thenComparingLong(Bound::longest);
    }

    /** One for each duration that makes a difference and for which there are enough units, the most promising first. */
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

    /** A pass over the nodes that take no longer. */
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

        /** No nodes yet; the figure is that of a unit on each node. */
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

        /** One more node for a shape. */
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
