package io.slotwise.core.planner.preemption;

import io.slotwise.core.window.Window;
import java.util.List;

/**
 * Whom a gang displaces, and the window that it has for that.
 *
 * @param victims those whose room the window needs
 * @param window of the gang that displaces them
 */
record Choice(List<Victim> victims, Window window) {
    /** What is lost by the displacement of all of them. */
    DisplacementLoss loss() {
        return victims.stream().map(Victim::loss).reduce(DisplacementLoss.NONE, DisplacementLoss::plus);
    }

    /** The highest priority among them. */
    int highest() {
        return victims.stream()
                .mapToInt(victim -> victim.gang().priority())
                .max()
                .orElse(Integer.MIN_VALUE);
    }
}
