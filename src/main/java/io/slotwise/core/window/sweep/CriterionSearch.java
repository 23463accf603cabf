package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import org.jspecify.annotations.Nullable;

/** Finds the best window by one criterion. */
public interface CriterionSearch {
    /** Returns the best window by criterion, earlier start and lower cost, or null if none is within the budget. */
    @Nullable
    UnitSelection best(SlotSearch search, Cost budget);

    /** Returns the largest cost within the budget, less than the value that stands for no window. */
    static long limit(Cost budget) {
        return Math.min(budget.microSecondsPerHour(), Long.MAX_VALUE - 1);
    }
}
