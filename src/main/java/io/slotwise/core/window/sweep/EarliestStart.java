package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import org.jspecify.annotations.Nullable;

/**
 * AMP (algorithm based on the maximal job price): the earliest start of a window whose total cost is within the budget.
 *
 * <p>The pass stops in the first segment that holds such a window. The least cost is concave there. So if the first
 * second is over the budget and the last one is not, the affordable seconds are a suffix of the segment, and bisection
 * finds its first second. With a price limit on every slot the slots above it do not exist, and the same pass is ALP
 * (algorithm based on the local price of slots).
 *
 * <p>Exact. O(m + U), see {@link SlotSweep}, plus O(log segment) evaluations once.
 *
 * <p>Source: the paper on AEP, section 2.2, minimising the start time. The n cheapest slots of the extended window are
 * taken, which makes the start the earliest.
 */
public final class EarliestStart implements CriterionSearch {
    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        long limit = CriterionSearch.limit(budget);
        SlotSweep sweep = search.sweep();
        while (sweep.advance()) {
            long start = sweep.firstWithin(limit, sweep.from(), sweep.to());
            if (start < Long.MAX_VALUE) {
                return UnitSelection.cheapestAt(start);
            }
        }
        return null;
    }
}
