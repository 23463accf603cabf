package io.slotwise.simulation.planned;

import io.slotwise.core.plan.Policy;

/**
 * How a simulated cluster is planned; durations in seconds.
 *
 * @param policy the planner's
 * @param cycle from a cycle that improved a promise to the next, since one improvement can make room for another; positive
 * @param collect how long events are collected before a cycle
 * @param overrunGrace how long at a time a pod past its expected end holds its place, positive
 */
public record Rules(Policy policy, long cycle, long collect, long overrunGrace) {
    public Rules {
        if (cycle <= 0 || collect < 0 || overrunGrace <= 0) {
            throw new IllegalArgumentException(
                    "The cycle (%d s) and the overrun grace (%d s) must be positive, the collecting time (%d s) not negative."
                            .formatted(cycle, overrunGrace, collect));
        }
    }
}
