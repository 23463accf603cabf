package io.slotwise.demo;

import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.runtime.RecurringWorkload;

/** A gang that a user submits; {@code runtime}: what a pod really takes on a node of performance 1, seconds. */
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
