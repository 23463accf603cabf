package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest window, the earliest of them if several cost the same.
 *
 * <p>Within a segment of the pass the least cost is concave in the start, so it is lowest on the segment's first or
 * last second: both are looked at. A tie inside a segment cannot begin earlier than on one of its ends unless the cost
 * is constant there, and then the first second has it too.
 *
 * <p>The pass ends as soon as it has a window than which none can be cheaper: under price calendars the cheapest nodes
 * at their cheapest hours, which come again every day.
 *
 * <p>Exact. O(m + U), see {@link SlotSweep}, with two evaluations a segment where prices move.
 *
 * <p>Source: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for
 * Economic Scheduling in Distributed Computing" (2013), section 2.2, minimum total execution cost.
 */
public final class LeastCost implements CriterionSearch {
    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        long least = Math.min(CriterionSearch.limit(budget), search.most());
        long start = Long.MAX_VALUE;
        SlotSweep sweep = search.sweep();
        long floor = Math.max(search.least(), sweep.least());
        while ((start == Long.MAX_VALUE || least > floor) && sweep.advance()) {
            if (!sweep.enough()) {
                continue;
            }
            long first = sweep.cheapest(sweep.from(), least);
            if (first < least || (first == least && start == Long.MAX_VALUE)) {
                least = first;
                start = sweep.from();
            }
            if (sweep.moves()) {
                long last = sweep.cheapest(sweep.to(), least);
                if (last < least || (last == least && start == Long.MAX_VALUE)) {
                    least = last;
                    start = sweep.to();
                }
            }
        }
        return start == Long.MAX_VALUE ? null : UnitSelection.cheapestAt(start);
    }
}
