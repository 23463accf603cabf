package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.GangRecord;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Port: brings gangs to their nodes that Slotwise binds itself. The binding of the first pod makes the start durable,
 * then all others are bound at the same time, and a gang that cannot be bound whole is rolled back.
 */
public interface DirectStarter {
    /**
     * Starts a gang whose second has come, or brings its last members to their nodes if its start is durable already.
     * Returns at once; done again while it is being started it changes nothing.
     *
     * @param record with the window, and the version under which it is known; without one nothing is written of it yet
     * @return completed with the record as it is from the first binding on; empty: this call has not started the gang
     */
    CompletableFuture<Optional<GangRecord>> start(GangRecord record);

    /**
     * Returns what keeps a gang with these pods from being bound in any window: a request of its start was refused and
     * is retried later. Null if nothing does.
     *
     * @param tries whether the gang is to be started, and may be the one that retries for all
     */
    default @Nullable String refusal(GangId gang, Collection<String> pods, boolean tries) {
        return null;
    }

    /** Returns whether this replica is starting the gang. */
    boolean isStarting(GangRecord record);
}
