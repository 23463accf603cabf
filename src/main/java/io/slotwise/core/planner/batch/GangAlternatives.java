package io.slotwise.core.planner.batch;

import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import java.util.List;

/** The windows that a batch may choose from for one gang: the promise, then the best first. Empty if none was found. */
record GangAlternatives(PlanningGang gang, List<Window> windows) {
    GangAlternatives {
        windows = List.copyOf(windows);
    }

    /** Returns the promise as the only alternative of a gang that does not search. */
    static GangAlternatives promised(PlanningGang gang) {
        return new GangAlternatives(gang, List.of(gang.promisedWindow()));
    }
}
