package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.GangRecord;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Port: starts gangs that Slotwise binds itself. The start is durable with the binding of the first pod, all other pods
 * are bound at the same time, and a gang that cannot be bound as a whole is rolled back.
 */
public interface DirectStarter {
    /**
     * Starts a gang whose window begins, or binds its last members if its start is already durable. Returns at once.
     * Calling it again during a start has no effect.
     *
     * @param record with the window, and the version that the gang's record still has
     * @return completed with the gang's record when it has started, and empty if it has not
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
