package io.slotwise.core.window.sweep;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.units.UnitValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The window whose cost and the value of whose delay are least together, the earliest of them if there are several, and
 * of those the cheapest.
 *
 * <p>A window that starts at second t and whose longest pod takes D seconds is worth its cost and v (t + D - arrival),
 * v being the gang's value of time, where only the seconds count that lie before the value falls. For each D among the
 * nodes' durations there is a pass over the nodes that take no
 * longer, in which the cheapest n units are the best of each second, with D counted whether or not one of them takes
 * it: one that does not is found as well as it is with its own D. On a segment the least cost is concave in the start
 * and so is the rest, so their sum is least on the segment's first second within the budget or on its last one.
 *
 * <p>A pass ends when the value of the time alone, with the least that n units cost whenever they start, passes the
 * best value found; and the passes go in the order of what they can reach at best, so that most of them are not begun.
 * Invariant: what is not looked at is worse than the best window found.
 *
 * <p>Values are 1/3600 millionths, exact. O(N log N + k (m + U)) for N nodes of k durations, see {@link SlotSweep};
 * mostly O(N log N + m + U).
 *
 * <p>Source: the general scheme is AEP of V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and
 * Co-allocation Algorithms for Economic Scheduling in Distributed Computing" (2013), section 2.1, which has no
 * criterion of this kind; the passes by duration and their bounds are ours.
 */
public final class LeastValue implements CriterionSearch {
    private final Gang gang;

    /** A search for this gang, whose arrival and value of time count. */
    public LeastValue(Gang gang) {
        this.gang = gang;
    }

    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        Passes passes = new Passes(search, CriterionSearch.limit(budget));
        for (Bound bound : bounds(search, passes.classes)) {
            if (bound.value() > passes.value) {
                break;
            }
            passes.look(bound);
        }
        return passes.selection();
    }

    /**
     * No pod takes longer.
     *
     * @param longest seconds
     * @param leastCost no n units cost less, whenever they start
     * @param value no window is worth less
     */
    private record Bound(long longest, long leastCost, long value) {
        static final Comparator<Bound> ORDER =
                Comparator.comparingLong(Bound::value).thenComparingLong(Bound::longest);
    }

    /** One for each duration for which there are n nodes' units at all, the most promising first. */
    private List<Bound> bounds(SlotSearch search, DurationClasses classes) {
        Offers figures = Offers.of(search.offers());
        long earliest = search.slots().earliest();
        long[] costs = new long[figures.size()];
        Arrays.setAll(costs, figures::leastCost);
        long[] worths = UnitValues.of(gang, figures, earliest, search.slots().latest());
        int[] shapeOf = search.shapeOf().stream().mapToInt(Integer::intValue).toArray();
        LeastFigures leastCosts = new LeastFigures(search, figures.most(), costs);
        LeastFigures leastWorths =
                Arrays.equals(costs, worths) ? leastCosts : new LeastFigures(search, figures.most(), worths);
        List<Bound> bounds = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            int node = classes.node(i);
            leastCosts.add(shapeOf[node], node);
            if (leastWorths != leastCosts) {
                leastWorths.add(shapeOf[node], node);
            }
            long longest = classes.duration(i);
            boolean last = i + 1 == classes.size() || classes.duration(i + 1) > longest;
            if (last && leastCosts.enough()) {
                long delay = gang.delay(earliest + longest);
                bounds.add(new Bound(longest, leastCosts.sum(), Window.sum(leastWorths.sum(), delay)));
            }
        }
        bounds.sort(Bound.ORDER);
        return bounds;
    }

    /** The passes over one search, and the best window that they have found. */
    private final class Passes {
        private final SlotSearch search;
        private final long limit;
        private final DurationClasses classes;

        /** One for all passes, begun anew for each; null: there was none yet. */
        private @Nullable SlotSweep sweep;

        /** No window that is worth more is of use. */
        private long value;

        /** Of the best window; {@link Long#MAX_VALUE}: none has been found. */
        private long start = Long.MAX_VALUE;

        private long cost = Long.MAX_VALUE;
        private long longest;

        Passes(SlotSearch search, long limit) {
            this.search = search;
            this.limit = limit;
            this.value = search.most();
            this.classes = new DurationClasses(search.offers());
        }

        void look(Bound bound) {
            SlotSweep pass = pass(bound.longest());
            while (pass.advance()) {
                long from = pass.from();
                long delay = gang.delay(from + bound.longest());
                long reach = Math.max(Window.sum(bound.leastCost(), delay), search.least());
                if (reach > value || (reach == value && from > start)) {
                    return;
                }
                long most = Math.min(limit, Window.sum(value, -delay));
                long first = pass.firstWithin(most, from, pass.to());
                if (first < Long.MAX_VALUE) {
                    offer(pass, first, most, bound.longest());
                    if (pass.moves() && pass.to() > first) {
                        offer(pass, pass.to(), most, bound.longest());
                    }
                }
            }
        }

        /** A pass over the nodes that take no longer. */
        private SlotSweep pass(long duration) {
            if (sweep == null) {
                sweep = search.sweep();
            } else {
                sweep.rewind();
            }
            classes.retireLonger(duration, sweep);
            return sweep;
        }

        private void offer(SlotSweep pass, long t, long most, long duration) {
            long least = pass.cheapest(t, most);
            if (least > most) {
                return;
            }
            long worth = Window.sum(least, gang.delay(t + duration));
            boolean better = worth != value ? worth < value : t != start ? t < start : least < cost;
            if (better) {
                value = worth;
                start = t;
                cost = least;
                longest = duration;
            }
        }

        @Nullable
        UnitSelection selection() {
            return start == Long.MAX_VALUE ? null : UnitSelection.cheapestAt(start, longest);
        }
    }
}
