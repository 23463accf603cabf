package io.slotwise.core.plan;

import java.util.List;

/** The pure function in the middle: a snapshot and a policy in, a plan out. */
public final class Planner {
    private final Policy policy;

    public Planner(Policy policy) {
        this.policy = policy;
    }

    /** Plans one cycle. */
    public Plan plan(Snapshot snapshot) {
        return new Plan(
                snapshot.now(), snapshot.now() + policy.horizon(), List.of(), snapshot.held(), List.of(), List.of());
    }
}
