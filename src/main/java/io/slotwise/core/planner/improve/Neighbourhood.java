package io.slotwise.core.planner.improve;

import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.planner.queue.PlanningGang;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a plan that is destroyed and repaired: gangs that lose their windows and get others in an order. */
interface Neighbourhood {
    /** The gangs that are placed again; one without a window is to get one. */
    List<PlanningGang> gangs();

    /** Returns what a window of a gang must keep, or null for nothing. */
    default @Nullable PromiseBound bound(PlanningGang gang) {
        return gang.binding();
    }

    /**
     * Gives the gangs windows.
     *
     * @param repaired the windows, in which staying gangs have their former windows and the others none
     * @return the gangs without a window that keeps what it must; they stay in the next round
     */
    List<PlanningGang> place(RepairedWindows repaired);
}
