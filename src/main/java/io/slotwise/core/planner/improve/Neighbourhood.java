package io.slotwise.core.planner.improve;

import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.planner.queue.PlanningGang;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a plan that is destroyed and repaired: whose windows go away, and in which order gangs get others. */
interface Neighbourhood {
    /** The gangs that are placed anew; one without a window is to get one. */
    List<PlanningGang> gangs();

    /** What a window of one of them must keep; null: nothing. */
    default @Nullable PromiseBound bound(PlanningGang gang) {
        return gang.binding();
    }

    /**
     * Gives them windows.
     *
     * @param repaired in which those that stay have their former windows and the others none
     * @return who finds none that keeps what it must; those stay in the next round
     */
    List<PlanningGang> place(RepairedWindows repaired);
}
