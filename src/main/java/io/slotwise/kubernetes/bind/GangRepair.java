package io.slotwise.kubernetes.bind;

import io.slotwise.live.record.GangRecord;

/** Ends the start of a gang that could not be bound whole, or not by its first pod alone. */
@FunctionalInterface
public interface GangRepair {
    /**
     * Called once for a start of which a binding was refused, when every binding has been answered.
     *
     * @param startedRecord the gang's record as it is from this start on, whether or not a pod is bound
     * @param reason one sentence: which pod, and what the API server said
     */
    void repair(GangRecord startedRecord, String reason);
}
