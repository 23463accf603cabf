package io.slotwise.live.port;

import io.slotwise.core.runtime.RunHistory;

/** Port: stores run histories. Called by several threads, but never by two for the same namespace. */
public interface RunHistoryStore {
    public RunHistoryStore NONE = _ -> {};

    /** Writes the runs of a namespace if their version is still the latest. The next cycle repeats a failed write. */
    void write(RunHistory history);
}
