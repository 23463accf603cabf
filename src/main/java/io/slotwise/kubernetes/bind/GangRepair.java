package io.slotwise.kubernetes.bind;

import io.slotwise.live.record.GangRecord;

/** Writes what a gang that could not be bound whole, or not by its first pod alone, needs of its record. */
public interface GangRepair {
    /**
     * Called once for a start of which a binding was refused, when every binding has been answered.
     *
     * @param startedRecord the gang's record as it is from this start on, whether or not a pod is bound
     * @param reason one sentence: which pod, and what the API server said
     */
    void repair(GangRecord startedRecord, String reason);

    /**
     * Writes the record of a gang that is too large for a binding to carry it, before a pod is bound.
     *
     * @param epoch of the leader by whose plan it starts
     * @return whether it is durable
     */
    default boolean record(GangRecord before, GangRecord startedRecord, long epoch) {
        return false;
    }
}
