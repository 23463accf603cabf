package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import org.jspecify.annotations.Nullable;

/**
 * Finds the window that ends first; ties go to the one that starts first.
 *
 * <p>At second t only units with t + d before the best finish so far can improve on it. As t grows and the bound falls,
 * the longest units leave the pass, each node once. A segment is cut where a node leaves. On such a piece the units
 * stay the same and the least cost is concave, so the first affordable second is found as in {@link EarliestStart}.
 * There the longest units are removed as long as the rest is affordable, as in {@link LeastRuntime}, and the pass
 * continues from that second. Earlier seconds of the piece are over the budget even with more units.
 *
 * <p>Exact. O(m + U + N log N), see {@link SlotSweep}, for N nodes.
 *
 * <p>Source: the paper on AEP, section 2.2, earliest finish time, which uses the substitution heuristic for the runtime
 * at each start.
 */
public final class EarliestFinish implements CriterionSearch {
    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        long limit = CriterionSearch.limit(budget);
        DurationClasses classes = new DurationClasses(search.offers());
        SlotSweep sweep = search.sweep();
        UnitSelection selection = null;
        long finish = Long.MAX_VALUE;
        while (classes.longest() > 0 && finish > search.least() && sweep.advance()) {
            long t = sweep.from();
            while (t <= sweep.to()) {
                classes.retire(finish - t, sweep);
                long leaving = finish - classes.longest();
                long last = Math.min(sweep.to(), leaving - 1);
                long start = sweep.firstWithin(limit, t, last);
                if (start == Long.MAX_VALUE) {
                    if (!sweep.moves()) {
                        break;
                    }
                    t = last + 1;
                } else {
                    long longest = classes.longest();
                    selection = UnitSelection.cheapestAt(start, longest);
                    finish = start + longest;
                    t = start;
                }
            }
        }
        return selection;
    }
}
