package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import org.jspecify.annotations.Nullable;

/**
 * Finds the window with the shortest runtime; ties go to the earliest.
 *
 * <p>Only units that are shorter than the best runtime so far can improve on it. As long as the cheapest n of those are
 * within the budget at some second of a segment, the longest of them becomes the best runtime. All nodes that need as
 * long then leave the pass. The bound only falls, so each node leaves once. At the end the units that are not longer
 * than the best runtime hold a window within the budget at its start. The cheapest such window has just that runtime:
 * otherwise it would have been found before.
 *
 * <p>Exact. O(m + U + N log N), see {@link SlotSweep}, for N nodes.
 *
 * <p>Source: the paper on AEP, section 2.2, minimum runtime. The paper substitutes shorter slots for the longest one as
 * long as the budget holds, a heuristic that can stop above the shortest runtime; it stays as a baseline.
 */
public final class LeastRuntime implements CriterionSearch {
    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        long limit = CriterionSearch.limit(budget);
        DurationClasses classes = new DurationClasses(search.offers());
        SlotSweep sweep = search.sweep();
        if (search.most() < Long.MAX_VALUE) {
            classes.retire(search.most() + 1, sweep);
        }
        UnitSelection selection = null;
        while ((selection == null || selection.longest() > search.least()) && sweep.advance()) {
            long start = sweep.firstWithin(limit, sweep.from(), sweep.to());
            while (start < Long.MAX_VALUE) {
                long longest = classes.longest();
                selection = UnitSelection.cheapestAt(start, longest);
                classes.retire(longest, sweep);
                start = sweep.firstWithin(limit, start, sweep.to());
            }
        }
        return selection;
    }
}
