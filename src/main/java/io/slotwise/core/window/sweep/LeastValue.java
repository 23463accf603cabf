package io.slotwise.core.window.sweep;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.window.units.UnitValues;
import org.jspecify.annotations.Nullable;

/**
 * Finds the window with the least sum of cost and value of delay; ties go to the earliest, then the cheapest.
 *
 * <p>A window that starts at second t and whose longest pod takes D seconds is worth its cost and v (t + D - arrival),
 * v being the gang's value of time. Only the seconds before the value falls count. There is a pass for each D, see
 * {@link DurationPasses}. On a segment the least cost is concave in the start and so is the rest. So their sum is least
 * on the segment's first second within the budget or on its last one. The value of the time never falls with the start,
 * so a pass ends with the first segment that is ruled out.
 *
 * <p>{@link UnitValues} has what a unit adds at least, which is tighter than its least cost at any time where prices
 * fall later.
 */
public record LeastValue(Gang gang) implements CriterionSearch {
    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        return new Passes(search, budget).best();
    }

    private final class Passes extends DurationPasses {
        private final SlotSearch search;

        Passes(SlotSearch search, Cost budget) {
            super(search, budget);
            this.search = search;
        }

        @Override
        long ofCost(long cost) {
            return cost;
        }

        @Override
        long mostCost(long part) {
            return part;
        }

        @Override
        long ofTime(long duration, long from, long to) {
            return gang.delay(from + duration);
        }

        @Override
        boolean isRisingFrom(long second) {
            return true;
        }

        @Override
        boolean isOfDuration() {
            return true;
        }

        @Override
        long[] worths(Offers offers, long[] costs) {
            return UnitValues.of(
                    gang, offers, search.slots().earliest(), search.slots().latest());
        }

        @Override
        void look(SlotSweep sweep, long most) {
            long last = sweep.to();
            long first = sweep.firstWithin(most, sweep.from(), last);
            if (first < Long.MAX_VALUE) {
                offer(sweep, first, most);
                if (sweep.moves() && last > first) {
                    offer(sweep, last, most);
                }
            }
        }
    }
}
