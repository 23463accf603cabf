package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.live.settings.LoopSettings;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The fresh promises of this replica, which do not make room for others for one cycle. Each change of a promise costs
 * several writes, and in a queue of short gangs every end would move every promise a little. Not thread-safe.
 */
final class RecentPromises {
    /** Seconds since the epoch. */
    private final Map<GangId, Long> given = new HashMap<>();

    boolean contains(GangId gang) {
        return given.containsKey(gang);
    }

    /** Forgets promises that are older than a cycle. Seconds since the epoch. */
    void forgetOld(LoopSettings settings, long now) {
        given.values().removeIf(second -> now >= second + settings.cycle());
    }

    /** Adds the promises of this cycle, or none if the policy requires no gain. Seconds since the epoch. */
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
