package io.slotwise.core.planner.preemption;

import io.slotwise.core.window.Window;
import java.util.List;

/**
 * The gangs that a gang displaces, and the window that it gets.
 *
 * @param victims the gangs whose room the window needs
 */
record Choice(List<Victim> victims, Window window) {
    DisplacementLoss loss() {
        return victims.stream().map(Victim::loss).reduce(DisplacementLoss.NONE, DisplacementLoss::plus);
    }

    int highest() {
        return victims.stream()
                .mapToInt(victim -> victim.gang().priority())
                .max()
                .orElse(Integer.MIN_VALUE);
    }
}
