package io.slotwise.demo;

import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.runtime.RecurringWorkload;

/**
 * A gang that a user submits.
 *
 * @param gang what it asks for; its runtime counts if it is stated
 * @param runtime how long each of its pods really runs on a node of performance 1, seconds, which no planner knows
 *     before
 * @param workload of which it is a run
 * @param stated whether its user states a runtime
 */
record DemoSubmission(Gang gang, long runtime, RecurringWorkload workload, boolean stated) {
    DemoSubmission {
        if (runtime <= 0) {
            throw new IllegalArgumentException("The runtime (%d s) must be positive.".formatted(runtime));
        }
    }

    /** How long a pod really takes on a node of this performance, seconds. */
    long seconds(Performance performance) {
        return performance.duration(runtime);
    }
}
