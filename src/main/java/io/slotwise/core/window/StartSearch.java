package io.slotwise.core.window;

import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotList;
import java.util.OptionalLong;

/** Finds the best start of a window by one criterion; the window then takes the cheapest units at that second. */
interface StartSearch {
    /**
     * The start of the best window.
     *
     * @param slots the slots of the request on the nodes that may be used together
     * @param size how many pods start together
     * @param budget the most that they may cost together
     * @return seconds since the epoch; empty if no window stays within the budget
     */
    OptionalLong best(SlotList slots, int size, Cost budget);
}
