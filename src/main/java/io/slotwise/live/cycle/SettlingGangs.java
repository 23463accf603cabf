package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Waiting gangs that arrived a moment ago. Most of them lack a pod that is about to come, so no record is written
 * before they have waited longer. Not thread-safe.
 */
final class SettlingGangs {
    private final Duration patience;
    private final Map<GangId, Instant> seen = new HashMap<>();

    SettlingGangs(Duration patience) {
        this.patience = patience;
    }

    /** Returns the updates without those of new gangs that wait. */
    List<RecordUpdate> withoutSettling(Collection<RecordUpdate> updates, Instant now) {
        List<RecordUpdate> others = new ArrayList<>();
        Set<GangId> waiting = new HashSet<>();
        for (RecordUpdate update : updates) {
            GangId gang = update.before().gang();
            boolean isNew = update.before().version().isEmpty()
                    && !update.isFrozen()
                    && update.after().phase() == Phase.PENDING;
            if (isNew) {
                waiting.add(gang);
                Instant first = seen.computeIfAbsent(gang, _ -> now);
                if (now.isBefore(first.plus(patience))) {
                    continue;
                }
            }
            others.add(update);
        }
        seen.keySet().retainAll(waiting);
        return others;
    }

    /** Returns when the first of the gangs has waited long enough. Null if there is none. */
    @Nullable
    Instant deadline() {
        return seen.values().stream()
                .min(Instant::compareTo)
                .map(first -> first.plus(patience))
                .orElse(null);
    }
}
