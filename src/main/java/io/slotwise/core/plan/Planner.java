package io.slotwise.core.plan;

import io.slotwise.core.work.Workers;

/**
 * The function in the middle of Slotwise: a snapshot in, a plan out. No clock, no input or output, no randomness: the same
 * snapshot and policy give the same plan, in the cluster, in a simulation and on the command line.
 *
 * <p>The cycle is the cyclic scheduling scheme of V. Toporkov, A. Bobchenkov, D. Emelyanov, A. Tselishchev, "Methods and
 * Heuristics of Scheduling in Distributed Computing with Non-dedicated Resources" (2014), sections 1.1 and 1.2, with promises:
 * a window that was published once is reserved first, and replaced only by a better one.
 */
public final class Planner {
    private final Policy policy;
    private final Workers workers;

    /** A planner for this policy that works on the caller's thread. */
    public Planner(Policy policy) {
        this(policy, Workers.CALLER);
    }

    /** A planner for this policy; its plans do not depend on the workers. */
    public Planner(Policy policy, Workers workers) {
        this.policy = policy;
        this.workers = workers;
    }

    /** Plans one cycle: every gang of the snapshot gets a window or the reason why it has none. */
    public Plan plan(Snapshot snapshot) {
        Cycle cycle = new Cycle(snapshot, policy, workers);
        cycle.keepPromises();
        cycle.order();
        cycle.placeOnline();
        cycle.planCyclically();
        cycle.shift();
        cycle.backfill();
        return cycle.plan();
    }
}
