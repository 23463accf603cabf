package io.slotwise.core.window;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The window whose cost and the value of whose delay are least together, the earliest of them if there are several, and of those the cheapest.
 *
 * <p>A window that starts at second t and whose longest pod takes D seconds is worth its cost and v (t + D - arrival), v being the gang's value of time. For each D
 * among the nodes' durations there is a pass over the nodes that take no longer, in which the cheapest n units are the best of each second, with D counted whether or
 * not one of them takes it: one that does not is found as well as it is with its own D. On a segment the least cost is concave in the start and the rest linear, so
 * their sum is least on the segment's first second within the budget or on its last one.
 *
 * <p>A pass ends when the value of the time alone, with the least that n units cost whenever they start, passes the best value found; and the passes go in the order of what
 * they can reach at best, so that most of them are not begun. Invariant: what is not looked at is worse than the best window found.
 *
 * <p>Values are 1/3600 millionths, exact. O(N log N + k (m + U)) for N nodes of k durations, see {@link Sweep}; mostly O(N log N + m + U).
 *
 * <p>Source: the general scheme is AEP of V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for Economic
 * Scheduling in Distributed Computing" (2013), section 2.1, which has no criterion of this kind; the passes by duration and their bounds are ours.
 */
final class LeastValue implements CriterionSearch {
    private final Gang gang;

    /** A search for this gang, whose arrival and value of time count. */
    LeastValue(Gang gang) {
        this.gang = gang;
    }

    @Override
    public @Nullable Selection best(Search search, Cost budget) {
        Passes passes = new Passes(search, CriterionSearch.limit(budget));
        for (Bound bound : bounds(search)) {
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
    private List<Bound> bounds(Search search) {
        Offers figures = Offers.of(search.offers());
        int nodes = figures.size();
        Integer[] byDuration = new Integer[nodes];
        Arrays.setAll(byDuration, i -> i);
        Arrays.sort(byDuration, Comparator.comparingLong(figures::duration));
        int[] shapeOf = search.shapeOf().stream().mapToInt(Integer::intValue).toArray();
        Cheapest[] shapes = search.shapes().stream()
                .map(shape -> new Cheapest(figures, shape.pods()))
                .toArray(Cheapest[]::new);
        List<Bound> bounds = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            shapes[shapeOf[byDuration[i]]].add(byDuration[i]);
            long longest = figures.duration(byDuration[i]);
            boolean last = i + 1 == nodes || figures.duration(byDuration[i + 1]) > longest;
            if (last && Arrays.stream(shapes).allMatch(Cheapest::enough)) {
                long cost = Arrays.stream(shapes).mapToLong(Cheapest::sum).sum();
                long delay = gang.delay(search.slots().earliest() + longest);
                bounds.add(new Bound(longest, cost, Window.sum(cost, delay)));
            }
        }
        bounds.sort(Bound.ORDER);
        return bounds;
    }

    /** The least that the pods of one shape cost on the nodes so far. */
    private static final class Cheapest {
        private final Offers figures;
        private final int pods;
        private final long[] keys;
        private final LowestUnits units;

        Cheapest(Offers figures, int pods) {
            this.figures = figures;
            this.pods = pods;
            long[] costs = new long[figures.size()];
            Arrays.setAll(costs, figures::leastCost);
            this.keys = LowestUnits.distinct(costs);
            this.units = new LowestUnits(keys, pods);
        }

        void add(int node) {
            units.add(Arrays.binarySearch(keys, figures.leastCost(node)), Math.min(pods, figures.most()));
        }

        boolean enough() {
            return units.size() >= pods;
        }

        long sum() {
            return units.sum();
        }
    }

    /** The passes over one search, and the best window that they have found. */
    private final class Passes {
        private final Search search;
        private final long limit;
        private final DurationClasses classes;

        /** No window that is worth more is of use. */
        private long value;

        /** Of the best window; {@link Long#MAX_VALUE}: none has been found. */
        private long start = Long.MAX_VALUE;

        private long cost = Long.MAX_VALUE;
        private long longest;

        Passes(Search search, long limit) {
            this.search = search;
            this.limit = limit;
            this.value = search.most();
            this.classes = new DurationClasses(search.offers());
        }

        void look(Bound bound) {
            Sweep sweep = search.sweep();
            classes.retireLonger(bound.longest(), sweep);
            while (sweep.advance()) {
                long from = sweep.from();
                long delay = gang.delay(from + bound.longest());
                long reach = Math.max(Window.sum(bound.leastCost(), delay), search.least());
                if (reach > value || (reach == value && from > start)) {
                    return;
                }
                long most = Math.min(limit, value - delay);
                long first = sweep.firstWithin(most, from, sweep.to());
                if (first < Long.MAX_VALUE) {
                    offer(sweep, first, most, bound.longest());
                    if (sweep.moves() && sweep.to() > first) {
                        offer(sweep, sweep.to(), most, bound.longest());
                    }
                }
            }
        }

        private void offer(Sweep sweep, long t, long most, long duration) {
            long least = sweep.cheapest(t, most);
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
        Selection selection() {
            return start == Long.MAX_VALUE ? null : Selection.cheapestAt(start, longest);
        }
    }
}
