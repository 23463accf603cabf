package io.slotwise.demo;

import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.runtime.RecurringWorkload;

/** A submitted gang; {@code runtime} is a pod's real duration on a node of performance 1, seconds. */
record DemoSubmission(Gang gang, long runtime, RecurringWorkload workload, boolean stated) {
    DemoSubmission {
        if (runtime <= 0) {
            throw new IllegalArgumentException("The runtime (%d s) must be positive.".formatted(runtime));
        }
    }

    /** Returns a pod's real duration on a node of this performance, seconds. */
    long seconds(Performance performance) {
        return performance.duration(runtime);
    }
}
