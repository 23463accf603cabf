package io.slotwise.core.window;

import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotList;
import org.jspecify.annotations.Nullable;

/** Finds the best window by one criterion. */
interface CriterionSearch {
    /**
     * The best window: by the criterion, then the earlier start, then the lower cost.
     *
     * @param slots the slots of the request on the nodes that may be used together
     * @param size how many pods start together
     * @param budget the most that they may cost together
     * @return null if no window stays within the budget
     */
    @Nullable
    Selection best(SlotList slots, int size, Cost budget);
}
