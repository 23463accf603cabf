package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.window.sweep.MixedPlacement.Assignment;
import io.slotwise.core.window.sweep.MixedPlacement.Limits;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@link LeastSum} for gangs of several shapes: pods are placed by value in each segment that the sums of the shapes'
 * least costs and values do not rule out, see {@link MixedPlacement}.
 *
 * <p>Exact as long as the placements are. O(s (m + U)) for s shapes, and one placement for each segment that is not
 * ruled out. Source as {@link LeastSum}.
 *
 * @param valueOf of a pod, not negative
 */
public record MixedLeastSum(ToLongFunction<Offer> valueOf) implements CriterionSearch {
    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        long limit = CriterionSearch.limit(budget);
        long[] values = search.offers().stream().mapToLong(valueOf).toArray();
        MixedSweep sweep = new MixedSweep(search);
        MixedPlacement placement = new MixedPlacement(search, values);
        long best = Long.MAX_VALUE;
        long start = 0;
        Assignment assignment = null;
        while (sweep.advance()) {
            long from = sweep.from();
            long to = sweep.to();
            Assignment first = assign(sweep, placement, from, new Limits(limit, best, Long.MAX_VALUE));
            if (first != null) {
                best = first.value();
                start = from;
                assignment = first;
            }
            Assignment last =
                    sweep.moves() ? assign(sweep, placement, to, new Limits(limit, best, Long.MAX_VALUE)) : null;
            if (last != null) {
                best = last.value();
                start = to;
                assignment = last;
                long without = from;
                while (start - without > 1) {
                    long middle = without + (start - without) / 2;
                    Assignment middleAssignment =
                            assign(sweep, placement, middle, new Limits(limit, best + 1, Long.MAX_VALUE));
                    if (middleAssignment == null) {
                        without = middle;
                    } else {
                        start = middle;
                        assignment = middleAssignment;
                    }
                }
            }
        }
        return assignment == null
                ? null
                : UnitSelection.of(start, assignment.units(search.offers().size()));
    }

    private static @Nullable Assignment assign(MixedSweep sweep, MixedPlacement placement, long t, Limits limits) {
        return sweep.enough() && sweep.bound(t) <= limits.cost() ? placement.best(t, sweep::held, limits) : null;
    }
}
