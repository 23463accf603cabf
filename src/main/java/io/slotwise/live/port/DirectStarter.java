package io.slotwise.live.port;

import io.slotwise.live.record.GangRecord;

/**
 * Port: brings gangs to their nodes that Slotwise binds itself. The start is made durable before the first pod is
 * bound, all pods are bound at the same time, and a gang that cannot be bound whole is rolled back.
 */
public interface DirectStarter {
    /**
     * Starts a gang whose second has come, or brings its last members to their nodes if its start is durable already.
     * Returns at once; done again while it is being started it changes nothing.
     *
     * @param standing with the window and the version that the durable write depends on
     */
    void start(GangRecord standing);

    /** Whether a gang is being started by this replica at this moment. */
    boolean isStarting(GangRecord standing);
}
