package io.slotwise.kubernetes.bind;

import io.slotwise.live.record.GangRecord;

/** Rolls back a gang that was not bound whole: its bound members are evicted, and it is planned again. */
@FunctionalInterface
public interface GangRepair {
    /**
     * Rolls a gang back. Called once for a start, when all bindings are answered and at least one was refused.
     *
     * @param startedRecord the gang's record as it is from this start on, even if no pod is bound
     * @param reason one sentence: which pod, and the API server's reason
     */
    void repair(GangRecord startedRecord, String reason);
}
