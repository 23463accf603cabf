package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.GangRecord;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Port: brings gangs to their nodes that Slotwise binds itself. The start is made durable before the first pod is
 * bound, all pods are bound at the same time, and a gang that cannot be bound whole is rolled back.
 */
public interface DirectStarter {
    /**
     * Starts a gang whose second has come, or brings its last members to their nodes if its start is durable already.
     * Returns at once; done again while it is being started it changes nothing.
     *
     * @param record with the window and the version that the durable write depends on
     */
    void start(GangRecord record);

    /**
     * What keeps a gang with these pods from being bound at the moment, whatever its window: what its start needs was
     * refused, and is tried again later.
     *
     * @param tries whether it is to be started, and may be the one that finds out for all
     * @return null: nothing
     */
    default @Nullable String refusal(GangId gang, Collection<String> pods, boolean tries) {
        return null;
    }

    /** Whether a gang is being started by this replica at this moment. */
    boolean isStarting(GangRecord record);
}
