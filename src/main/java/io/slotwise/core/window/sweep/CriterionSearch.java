package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import org.jspecify.annotations.Nullable;

/** Finds the best window by one criterion. */
public interface CriterionSearch {
    /**
     * The best window: by the criterion, then the earlier start, then the lower cost.
     *
     * @param search what it looks at
     * @param budget the most that they may cost together
     * @return null if no window stays within the budget
     */
    @Nullable
    UnitSelection best(SlotSearch search, Cost budget);

    /** The largest cost within the budget; less than what stands for no window at all. */
    static long limit(Cost budget) {
        return Math.min(budget.microSecondsPerHour(), Long.MAX_VALUE - 1);
    }
}
