package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.live.settings.LoopSettings;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * When this replica gave promises that are fresh: they make no room for others for one cycle. Each change of a promise
 * is some writes, and in a queue of short gangs every end would move every promise by a little. Used by one thread.
 */
final class RecentPromises {
    /** Seconds since the epoch. */
    private final Map<GangId, Long> given = new HashMap<>();

    /** Whether the promise of a gang is fresh. */
    boolean contains(GangId gang) {
        return given.containsKey(gang);
    }

    /**
     * Forgets those that were given a cycle ago.
     *
     * @param now the second of this cycle, since the epoch
     */
    void forgetOld(LoopSettings settings, long now) {
        given.values().removeIf(second -> now >= second + settings.cycle());
    }

    /**
     * Notes those that this cycle gives; none where the policy asks for no gain.
     *
     * @param now the second of this cycle, since the epoch
     */
    void note(Collection<RecordUpdate> updates, LoopSettings settings, long now) {
        if (settings.policy().replanGain() == 0) {
            return;
        }
        for (RecordUpdate update : updates) {
            Promise promise = update.after().promise();
            Promise before = update.before().promise();
            boolean isNew = promise != null
                    && (before == null || !before.window().equals(promise.window()))
                    && promise.window().start() > now;
            if (isNew) {
                given.put(update.before().gang(), now);
            }
        }
    }
}
