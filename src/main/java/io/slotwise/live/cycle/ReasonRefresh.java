package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits how often the figures of a reason are written into a waiting gang's record: once per {@link #PAUSE}. A replica
 * that takes over may write them at once. Not thread-safe.
 */
final class ReasonRefresh {
    /** Seconds. */
    static final long PAUSE = 180;

    /** The time of the last write of each gang's figures, seconds since the epoch. */
    private final Map<GangId, Long> written = new HashMap<>();

    /** Returns whether the figures of a gang may be written, and notes that they are. */
    boolean isDue(GangId gang, long now) {
        Long before = written.get(gang);
        boolean isDue = before == null || now - before >= PAUSE || now < before;
        if (isDue) {
            written.put(gang, now);
        }
        return isDue;
    }

    void retain(Collection<GangId> gangs) {
        written.keySet().retainAll(gangs);
    }
}
