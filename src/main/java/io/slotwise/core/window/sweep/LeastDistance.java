package io.slotwise.core.window.sweep;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The window that is nearest to what the gang prefers, see {@link Preferences}; the earliest of them if there are
 * several, and of those the cheapest.
 *
 * <p>The distance of a window that starts at second t, whose longest pod takes D seconds, is h(t, D) + max(0, cost -
 * preferred cost). It never falls with D nor with the cost, so for each D among the nodes' durations the cheapest n
 * units of those that take no longer are the best of each second. There is a pass for each D, as in {@link LeastValue};
 * only one where no end is preferred. D is counted whether or not a unit takes it: a window with none is found as well
 * as it is with its own D.
 *
 * <p>h is convex in t and linear but for two seconds, the preferred start and the preferred end less D. On a segment
 * the least cost c is concave in t; so the seconds at which c is at most some limit are a beginning and an end of the
 * segment, each of which is found by bisection once the second is known at which c is largest. Within the preferred
 * cost the distance is h, convex, and least at one of its two seconds or where they begin or end. Beyond it the
 * distance is concave between these seconds, and least at the ends. So of each segment only those seconds are looked
 * at: its ends, the two of h, and those beside which c passes the preferred cost or the limit.
 *
 * <p>A segment is passed over where h and the least that n units cost whenever they start are further away than the
 * best window found, and since h does not fall any more behind the preferred start, a pass ends there. Invariant: what
 * is not looked at is no better than the best window found.
 *
 * <p>Distances are 1/3600 millionths, exact. O(N log N + k (m + U)) for N nodes of k durations, see {@link SlotSweep},
 * and O(log of the segment's length) evaluations of the least cost more for each segment that is looked at and on
 * which prices move.
 *
 * <p>Source: the Execution Similarity criterion of V. Toporkov, D. Yemelyanov, A. Toporkova, "Anticipation Scheduling
 * in Grid with Stakeholders Preferences", section 3, with references that the user states (section 5). The paper looks
 * at one window of each step; the passes and the seconds are ours.
 */
public final class LeastDistance implements CriterionSearch {
    private final Preferences preferences;

    /** A search for this gang, whose preferences count. */
    public LeastDistance(Gang gang) {
        this.preferences = gang.preferences();
    }

    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        Passes passes = new Passes(search, CriterionSearch.limit(budget));
        for (Bound bound : bounds(search, passes.classes)) {
            if (bound.distance() > passes.distance) {
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
     * @param costError no n units are less above the preferred cost, whenever they start
     * @param distance no window is nearer
     */
    private record Bound(long longest, long costError, long distance) {
        static final Comparator<Bound> ORDER =
                Comparator.comparingLong(Bound::distance).thenComparingLong(Bound::longest);
    }

    /** One for each duration that makes a difference and for which there are enough units, the most promising first. */
    private List<Bound> bounds(SlotSearch search, DurationClasses classes) {
        Offers figures = Offers.of(search.offers());
        long[] costs = new long[figures.size()];
        Arrays.setAll(costs, figures::leastCost);
        int[] shapeOf = search.shapeOf().stream().mapToInt(Integer::intValue).toArray();
        LeastFigures least = new LeastFigures(search, figures.most(), costs);
        boolean matters = preferences.finish() != null;
        List<Bound> bounds = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            int node = classes.node(i);
            least.add(shapeOf[node], node);
            boolean last = i + 1 == classes.size() || (matters && classes.duration(i + 1) > classes.duration(i));
            if (last && least.enough()) {
                long longest = classes.duration(i);
                long costError = preferences.costError(least.sum());
                long time = preferences.leastTimeError(
                        longest, search.slots().earliest(), search.slots().latest());
                bounds.add(new Bound(longest, costError, Window.sum(costError, time)));
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

        /** No window that is further away is of use. */
        private long distance;

        /** Of the best window; {@link Long#MAX_VALUE}: none has been found. */
        private long start = Long.MAX_VALUE;

        private long cost = Long.MAX_VALUE;
        private long longest;

        Passes(SlotSearch search, long limit) {
            this.search = search;
            this.limit = limit;
            this.distance = search.most();
            this.classes = new DurationClasses(search.offers());
        }

        void look(Bound bound) {
            SlotSweep sweeping = begun(bound.longest());
            Pass pass = new Pass(sweeping, bound.longest());
            while (sweeping.advance()) {
                long from = sweeping.from();
                long time = preferences.leastTimeError(bound.longest(), from, sweeping.to());
                long reach = Math.max(Window.sum(bound.costError(), time), search.least());
                boolean passedOver = reach > distance || (reach == distance && from > start);
                if (passedOver && preferences.isRisingFrom(from)) {
                    return;
                }
                if (!passedOver && sweeping.enough()) {
                    pass.look(most(time));
                }
            }
        }

        /** A pass over the nodes that take no longer. */
        private SlotSweep begun(long duration) {
            if (sweep == null) {
                sweep = search.sweep();
            } else {
                sweep.rewind();
            }
            classes.retireLonger(duration, sweep);
            return sweep;
        }

        /** No window costs more that is of use where h is no less than {@code time}. */
        private long most(long time) {
            long preferred = preferences.mostCost();
            long left = distance - time;
            boolean any = preferred >= limit || (preferred > 0 && left > limit - preferred);
            return any ? limit : Math.min(limit, preferred + left);
        }

        /** Takes a window if it is better than the best one so far. */
        void offer(long t, long exact, long duration) {
            long found = preferences.distance(t, t + duration, exact);
            boolean better = found != distance
                    ? found < distance
                    : t != start ? t < start : exact != cost ? exact < cost : duration > longest;
            if (better) {
                distance = found;
                start = t;
                cost = exact;
                longest = duration;
            }
        }

        @Nullable
        UnitSelection selection() {
            return start == Long.MAX_VALUE ? null : UnitSelection.cheapestAt(start, longest);
        }

        /** One of them. */
        private final class Pass {
            private final SlotSweep sweep;
            private final long duration;
            private final long[] turns;

            Pass(SlotSweep sweep, long duration) {
                this.sweep = sweep;
                this.duration = duration;
                this.turns = preferences.turns(duration);
            }

            /** Looks at the segment for windows that cost at most {@code most}. */
            void look(long most) {
                long from = sweep.from();
                long to = sweep.to();
                look(from, most);
                for (long turn : turns) {
                    look(Math.clamp(turn, from, to), most);
                }
                if (sweep.moves() && to > from) {
                    look(to, most);
                    long dearest = dearest();
                    if (preferences.mostCost() < most) {
                        besideTheLimit(dearest, preferences.mostCost(), most);
                    }
                    besideTheLimit(dearest, most, most);
                }
            }

            private void look(long t, long most) {
                long least = sweep.cheapest(t, most);
                if (least <= most) {
                    offer(t, least, duration);
                }
            }

            /** The first second of the segment at which the least cost, which is concave, is largest; bisection. */
            private long dearest() {
                long low = sweep.from();
                long high = sweep.to();
                while (low < high) {
                    long middle = low + (high - low) / 2;
                    if (sweep.cheapest(middle + 1, Long.MAX_VALUE) > sweep.cheapest(middle, Long.MAX_VALUE)) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                return low;
            }

            /** Looks at the seconds between which the least cost passes {@code bound}, on both sides of the dearest. */
            private void besideTheLimit(long dearest, long bound, long most) {
                if (sweep.cheapest(dearest, Long.MAX_VALUE) <= bound) {
                    return;
                }
                for (long end : new long[] {sweep.from(), sweep.to()}) {
                    if (sweep.cheapest(end, bound) <= bound) {
                        long last = lastWithin(end, dearest, bound);
                        look(last, most);
                        look(last + Long.signum(dearest - last), most);
                    }
                }
            }

            /** The last second from {@code within}, where the least cost is within the bound, towards {@code over}. */
            private long lastWithin(long within, long over, long bound) {
                long in = within;
                long out = over;
                while (Math.abs(out - in) > 1) {
                    long middle = in + (out - in) / 2;
                    if (sweep.cheapest(middle, bound) <= bound) {
                        in = middle;
                    } else {
                        out = middle;
                    }
                }
                return in;
            }
        }
    }
}
