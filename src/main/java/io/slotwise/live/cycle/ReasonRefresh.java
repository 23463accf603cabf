package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps figures that go with the cluster from being written into the records of waiting gangs again and again: into
 * each once in {@link #PAUSE}. A replica that takes over may write them at once. Used by one thread.
 */
final class ReasonRefresh {
    /** Seconds. */
    static final long PAUSE = 180;

    /** When the figures of a gang were written last, seconds since the epoch. */
    private final Map<GangId, Long> written = new HashMap<>();

    /** Whether the figures of a gang may be written; they are then. */
    boolean isDue(GangId gang, long now) {
        Long before = written.get(gang);
        boolean isDue = before == null || now - before >= PAUSE || now < before;
        if (isDue) {
            written.put(gang, now);
        }
        return isDue;
    }

    /** Forgets the other gangs. */
    void retain(Collection<GangId> gangs) {
        written.keySet().retainAll(gangs);
    }
}
