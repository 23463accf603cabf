package io.slotwise.core.window.sweep;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * Finds the window that is nearest to the gang's preferences, see {@link Preferences}; ties go to the earliest, then
 * the cheapest.
 *
 * <p>The distance of a window that starts at second t, whose longest pod takes D seconds, is h(t, D) + max(0, cost -
 * preferred cost). It never falls with D nor with the cost, so there is a pass for each D, see {@link DurationPasses},
 * and only one if no end is preferred.
 *
 * <p>The function h is convex in t and linear except at two seconds, the preferred start and the preferred end less D.
 * On a segment the least cost c is concave in t. So the seconds at which c is at most some limit are a beginning and an
 * end of the segment. Bisection finds each, once the second of the largest c is known. Within the preferred cost the
 * distance is h, convex, and least at one of its two seconds or where the beginning and the end stop. Beyond it the
 * distance is concave between these seconds, and least at the ends. So three kinds of seconds are evaluated: the ends
 * of the segment, the two of h, and those next to which c passes the preferred cost or the limit. After the preferred
 * start h does not fall, so a pass ends with the first segment after it that is ruled out.
 *
 * <p>In addition to {@link DurationPasses}, O(log of the segment's length) evaluations of the least cost for each
 * evaluated segment on which prices move.
 *
 * <p>Source: the Execution Similarity criterion of the paper on anticipation, section 3, with references that the user
 * states (section 5). The paper evaluates one window of each step, without passes and further seconds.
 */
public final class LeastDistance implements CriterionSearch {
    private final Preferences preferences;

    public LeastDistance(Gang gang) {
        this.preferences = gang.preferences();
    }

    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        return new Passes(search, budget).best();
    }

    private final class Passes extends DurationPasses {
        Passes(SlotSearch search, Cost budget) {
            super(search, budget);
        }

        @Override
        long ofCost(long cost) {
            return preferences.costError(cost);
        }

        @Override
        long mostCost(long part) {
            return Window.sum(preferences.mostCost(), part);
        }

        @Override
        long ofTime(long duration, long from, long to) {
            return from == to
                    ? preferences.timeError(from, from + duration)
                    : preferences.leastTimeError(duration, from, to);
        }

        @Override
        boolean isRisingFrom(long second) {
            return preferences.isRisingFrom(second);
        }

        @Override
        boolean isOfDuration() {
            return preferences.preferredFinish() != null;
        }

        @Override
        long[] worths(Offers offers, long[] costs) {
            return costs;
        }

        @Override
        void look(SlotSweep sweep, long most) {
            long from = sweep.from();
            long to = sweep.to();
            offer(sweep, from, most);
            Preferred<Long> preferredStart = preferences.preferredStart();
            if (preferredStart != null) {
                offer(sweep, Math.clamp(preferredStart.reference(), from, to), most);
            }
            Preferred<Long> preferredFinish = preferences.preferredFinish();
            if (preferredFinish != null) {
                offer(sweep, Math.clamp(preferredFinish.reference() - duration(), from, to), most);
            }
            if (sweep.moves() && to > from) {
                offer(sweep, to, most);
                long dearest = dearest(sweep);
                if (preferences.mostCost() < most) {
                    besideTheLimit(sweep, dearest, preferences.mostCost(), most);
                }
                besideTheLimit(sweep, dearest, most, most);
            }
        }

        /** Returns the first second of the segment at which the concave least cost is largest, by bisection. */
        private static long dearest(SlotSweep sweep) {
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

        /** Evaluates the seconds between which the least cost passes {@code bound}, on both sides of its maximum. */
        private void besideTheLimit(SlotSweep sweep, long dearest, long bound, long most) {
            if (sweep.cheapest(dearest, Long.MAX_VALUE) <= bound) {
                return;
            }
            for (long end : new long[] {sweep.from(), sweep.to()}) {
                if (sweep.cheapest(end, bound) <= bound) {
                    long last = lastWithin(sweep, end, dearest, bound);
                    offer(sweep, last, most);
                    offer(sweep, last + Long.signum(dearest - last), most);
                }
            }
        }

        /**
         * Returns the last second from {@code within}, where the least cost is within the bound, towards {@code over}.
         */
        private static long lastWithin(SlotSweep sweep, long within, long over, long bound) {
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
