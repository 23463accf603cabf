package io.slotwise.core.planner.batch;

import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import java.util.List;

/** The windows that a batch may choose from for one gang, best first, a promise at the head; empty: none was found. */
record GangAlternatives(PlanningGang gang, List<Window> windows) {
    GangAlternatives {
        windows = List.copyOf(windows);
    }

    /** The promise of a gang that looks for nothing else. */
    static GangAlternatives promised(PlanningGang gang) {
        return new GangAlternatives(gang, List.of(gang.promisedWindow()));
    }
}
