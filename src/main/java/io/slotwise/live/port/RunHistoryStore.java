package io.slotwise.live.port;

import io.slotwise.core.runtime.RunHistory;

/** Port: where past runs are kept. Calls come from several threads at once, never two for one namespace. */
public interface RunHistoryStore {
    /** Keeps nothing. */
    public RunHistoryStore NONE = _ -> {};

    /**
     * Writes the runs of a namespace, if no replica wrote them since the version that they name. What is not written is
     * told again in the next cycle.
     */
    void write(RunHistory history);
}
