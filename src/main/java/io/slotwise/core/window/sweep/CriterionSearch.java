package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import org.jspecify.annotations.Nullable;

/** Finds the best window by one criterion. */
public interface CriterionSearch {
    /** The best window by the criterion, the earlier start and the lower cost; null: none is within the budget. */
    @Nullable
    UnitSelection best(SlotSearch search, Cost budget);

    /** The largest cost within the budget; less than what stands for no window at all. */
    static long limit(Cost budget) {
        return Math.min(budget.microSecondsPerHour(), Long.MAX_VALUE - 1);
    }
}
