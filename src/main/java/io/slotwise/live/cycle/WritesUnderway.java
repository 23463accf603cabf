package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.GangStarter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The writes that were sent and not answered yet, so that the next cycle can begin meanwhile. Until the answer a gang
 * counts as written, and no cycle touches it. Only writes that give up no room are sent this way.
 */
final class WritesUnderway {
    private final Map<GangId, GangRecord> byGang = new ConcurrentHashMap<>();

    void begin(RecordUpdate update) {
        byGang.put(update.before().gang(), update.gone() ? counted(update.before()) : update.after());
    }

    /** Returns a record that is being removed. The gangs that it passed have it in their counts, in the same cycle. */
    private static GangRecord counted(GangRecord record) {
        return record.withHistory(record.history().unpromised());
    }

    /** Removes a write that was answered or given up. */
    void over(GangId gang) {
        byGang.remove(gang);
    }

    Map<GangId, GangRecord> now() {
        return Map.copyOf(byGang);
    }

    /** Returns the facts as if these writes were done, except for gangs that are seen to run. O(gangs). */
    static ClusterFacts on(ClusterFacts facts, Map<GangId, GangRecord> underway, ClusterView view) {
        List<GangRecord> further = underway.values().stream()
                .filter(record -> {
                    GangRecord seenRecord = facts.records().get(record.gang());
                    return seenRecord == null
                            || seenRecord.phase() != Phase.RUNNING
                            || record.phase().started();
                })
                .toList();
        return further.isEmpty() ? facts : facts.with(further, view::members);
    }

    /** Returns the gangs that no cycle may touch: those of these writes, and those that are being started. */
    static Set<GangId> frozen(ClusterFacts facts, Map<GangId, GangRecord> underway, GangStarter starter) {
        Set<GangId> frozen = new HashSet<>(underway.keySet());
        facts.records().forEach((gang, record) -> {
            if ((record.phase() == Phase.PROMISED || record.isArriving()) && starter.isStarting(record)) {
                frozen.add(gang);
            }
        });
        return frozen;
    }
}
