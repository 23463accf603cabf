package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;

/** Rolls back a gang that was not bound whole: its bound members are evicted, and it is planned again. */
public interface GangRepair {
    /**
     * Rolls a gang back. Called once after its barrier has opened, when all bindings are answered and at least one was
     * refused.
     *
     * @param reason one sentence: which pod, and the API server's reason
     */
    void repair(GangId gang, String reason);
}
