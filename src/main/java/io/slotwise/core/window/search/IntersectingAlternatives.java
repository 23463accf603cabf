package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.units.LowestUnits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds alternatives of one gang that may overlap each other and those of other gangs: the intermediate windows of one
 * pass, without reserving any. One alternative for each gang is a reference that need not be feasible.
 *
 * <p>Windows are considered at the first second of every step, and at the last one where prices move. The cheapest
 * window is taken if it is within the budget and cheaper than every one before (the Pareto front of start and cost).
 * The best window by the gang's own criterion is taken too, but with more than 4096 changes only at about that many
 * steps, at equal distances. Together with the best window of all they are ordered by criterion, start, cost and nodes.
 * If there are too many, a selection at equal distances in that order is taken, including the best and the last. So the
 * reference may choose from the whole range of what the gang could get.
 *
 * <p>Invariant: every window satisfies all limits of the gang on the present free capacity, and no window occurs twice.
 *
 * <p>O(m + U) for the pass, see {@code SlotSweep}, and O(N log N) for each step to which the criterion is applied or
 * that adds to the front; O(m) space, for m changes of N nodes. Only returned windows are built.
 *
 * <p>Source: the paper on anticipation, section 3: all intermediate results of AEP are saved.
 *
 * <p>Deviations. The Pareto front is an addition. The shortest runtime of a step, and so its earliest finish, is exact.
 * The least processor time or energy of a step is that of the cheapest units within the least bound per unit that the
 * budget allows, which is not always the least sum. The best window of all is exact for every criterion.
 */
public final class IntersectingAlternatives {
    /** The approximate number of steps to which the gang's own criterion is applied. */
    private static final int STEPS = 4096;

    private final Gang gang;
    private final long budget;
    private final List<FreeUnits> passes;
    private final List<Mark> marks = new ArrayList<>();

    /** A window of a pass that is not built yet; no unit's key exceeds the bound. */
    private record Mark(long value, long start, long cost, long bound, int pass) {
        static final Comparator<Mark> ORDER = Comparator.comparingLong(Mark::value)
                .thenComparingLong(Mark::start)
                .thenComparingLong(Mark::cost)
                .thenComparingInt(Mark::pass)
                .thenComparingLong(Mark::bound);
    }

    private IntersectingAlternatives(Gang gang, List<FreeUnits> passes) {
        this.gang = gang;
        this.budget = gang.budget().limit().microSecondsPerHour();
        this.passes = passes;
    }

    /** Returns at most {@code most} windows, best first by the gang's criterion; empty if there is none. */
    public static List<Window> find(Gang gang, WindowSearch search, SlotTerms terms, int most) {
        if (!gang.takesAnyPlaces()) {
            return ofMixed(gang, search, terms, most);
        }
        IntersectingAlternatives alternatives = new IntersectingAlternatives(gang, search.passes(terms));
        for (int pass = 0; pass < alternatives.passes.size(); pass++) {
            alternatives.collect(pass);
        }
        Stream<Window> best = search.best(gang.criterion(), terms, gang.budget().limit()).stream();
        return Stream.concat(best, alternatives.spread(most).map(alternatives::build))
                .distinct()
                .limit(most)
                .sorted(WindowSearch.order(gang))
                .toList();
    }

    /** Returns the affordable menu and the best window, for pods of several shapes, with rules or in slices. */
    private static List<Window> ofMixed(Gang gang, WindowSearch search, SlotTerms terms, int most) {
        Cost budget = gang.budget().limit();
        return Stream.concat(
                        search.best(gang.criterion(), terms, budget).stream(),
                        search.menu(terms).stream()
                                .filter(window -> window.cost().compareTo(budget) <= 0))
                .distinct()
                .limit(most)
                .sorted(WindowSearch.order(gang))
                .toList();
    }

    private void collect(int pass) {
        Steps steps = new Steps(pass);
        int stride = 1 + steps.units.changes() / STEPS;
        for (int step = 0; steps.units.advance(); step++) {
            if (steps.units.enough()) {
                boolean own = step % stride == 0;
                steps.look(steps.units.from(), own);
                if (steps.units.pricesMove() && steps.units.to() > steps.units.from()) {
                    steps.look(steps.units.to(), own);
                }
            }
        }
    }

    private Stream<Mark> spread(int most) {
        List<Mark> sorted = marks.stream().distinct().sorted(Mark.ORDER).toList();
        if (sorted.size() <= most) {
            return sorted.stream();
        }
        long last = sorted.size() - 1L;
        return IntStream.range(0, most).mapToObj(i -> sorted.get((int) (i * last / Math.max(1, most - 1))));
    }

    private Window build(Mark mark) {
        FreeUnits units = passes.get(mark.pass());
        units.revisit(mark.start());
        Steps steps = new Steps(mark.pass());
        steps.take(mark.bound());
        return units.window(mark.start(), steps.taken);
    }

    private final class Steps {
        private final int pass;
        private final FreeUnits units;
        private final long[] keys;
        private final long[] bounds;
        private final int[] taken;

        /** True if the cheapest window of a second is the best by the gang's own criterion. */
        private final boolean cheapestIsBest =
                gang.criterion() == Criterion.START || gang.criterion() == Criterion.COST;

        private long least = Long.MAX_VALUE;

        /** The cost of the units taken, and the sum and the largest of their keys. */
        private long cost;

        private long sum;
        private long longest;

        Steps(int pass) {
            this.pass = pass;
            this.units = passes.get(pass);
            this.taken = new int[units.nodes()];
            this.keys = new long[units.nodes()];
            Arrays.setAll(keys, i -> key(units.offer(i)));
            this.bounds = LowestUnits.distinct(keys);
        }

        private long key(Offer offer) {
            return offer.figure(gang.criterion().needsPower() ? Figure.ENERGY : Figure.DURATION);
        }

        /** Considers a second. With {@code own} the best window by the gang's own criterion, too. */
        void look(long t, boolean own) {
            long lowest = units.leastCost(t);
            if (lowest > budget || (lowest >= least && !own)) {
                return;
            }
            units.stand(t);
            take(Long.MAX_VALUE);
            if (lowest < least || cheapestIsBest) {
                least = Math.min(least, lowest);
                mark(t, Long.MAX_VALUE);
            }
            if (own && !cheapestIsBest) {
                long bound = isWeighed() ? bestBound(t) : leastBound();
                take(bound);
                mark(t, bound);
            }
        }

        /**
         * Returns the least bound on the keys for a window within the budget, by bisection. Precondition: it exists.
         */
        private long leastBound() {
            int low = 0;
            int high = bounds.length - 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (take(bounds[middle]) && cost <= budget) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return bounds[low];
        }

        private boolean isWeighed() {
            return switch (gang.criterion().kind()) {
                case WORTH, DISTANCE -> true;
                case TIME, LARGEST, SUM -> false;
            };
        }

        /**
         * Returns the bound on durations with the best sum of cost and time within the budget. Precondition: it exists.
         */
        private long bestBound(long t) {
            long best = Long.MAX_VALUE;
            long least = Long.MAX_VALUE;
            for (long bound : bounds) {
                if (take(bound) && cost <= budget && value(t) < least) {
                    least = value(t);
                    best = bound;
                }
            }
            return best;
        }

        private void mark(long t, long bound) {
            if (units.complete(taken)) {
                marks.add(new Mark(value(t), t, cost, bound, pass));
            }
        }

        private long value(long t) {
            Criterion criterion = gang.criterion();
            return switch (criterion.kind()) {
                case TIME -> criterion == Criterion.START ? t : t + longest;
                case LARGEST -> longest;
                case SUM -> criterion == Criterion.COST ? cost : sum;
                case WORTH -> Window.sum(cost, gang.delay(t + longest));
                case DISTANCE -> gang.preferences().distance(t, t + longest, cost);
            };
        }

        /** Takes the n cheapest units with keys within the bound; returns false if there are fewer. */
        boolean take(long bound) {
            Arrays.fill(taken, 0);
            cost = 0;
            sum = 0;
            longest = 0;
            int left = gang.size();
            for (int rank = 0; rank < taken.length && left > 0; rank++) {
                int node = units.cheapest(rank);
                int pods = keys[node] <= bound ? Math.min(left, units.free(node)) : 0;
                if (pods > 0) {
                    taken[node] = pods;
                    left -= pods;
                    cost += pods * units.cost(node);
                    sum += pods * keys[node];
                    longest = Math.max(longest, keys[node]);
                }
            }
            return left == 0;
        }
    }
}
