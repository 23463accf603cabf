package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;

/** Takes back a gang that could not be bound whole: its bound members are evicted, and it is planned again. */
public interface GangRepair {
    /**
     * Called once for a gang whose barrier has opened, when every binding has been answered and at least one was
     * refused.
     *
     * @param reason one sentence: which pod, and what the API server said
     */
    void repair(GangId gang, String reason);
}
