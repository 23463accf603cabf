package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.plan.Policy;

/**
 * How a simulated cluster is planned; durations in seconds.
 *
 * @param cycle from a cycle that improved a promise to the next, since one improvement can make room for another;
 *     positive
 * @param collect how long events are collected from one cycle to the next; after a longer rest there is a cycle at once
 * @param overrunGrace for how long a pod past its expected end holds its place
 */
public record PlannedClusterRules(Policy policy, long cycle, long collect, OverrunGrace overrunGrace) {
    /** Where it holds its place for as long each time, seconds, positive. */
    public PlannedClusterRules(Policy policy, long cycle, long collect, long overrunGrace) {
        this(policy, cycle, collect, new OverrunGrace(overrunGrace));
    }

    public PlannedClusterRules {
        if (cycle <= 0 || collect < 0) {
            throw new IllegalArgumentException(
                    "The cycle (%d s) must be positive, the collecting time (%d s) not negative."
                            .formatted(cycle, collect));
        }
    }
}
