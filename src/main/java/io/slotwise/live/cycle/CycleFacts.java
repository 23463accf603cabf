package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * What a cycle goes by from its beginning to its end.
 *
 * @param facts of the cluster, with what was sent and not answered yet
 * @param frozen the gangs that it leaves as they are
 * @param unreadable the gangs whose records cannot be read, and why; they are among these
 * @param began when it began
 */
record CycleFacts(
        LoopSettings settings, ClusterFacts facts, Set<GangId> frozen, Map<GangId, String> unreadable, Instant began) {
    CycleFacts {
        frozen = Set.copyOf(frozen);
        unreadable = Map.copyOf(unreadable);
    }

    /** The second in which it began. */
    long now() {
        return began.getEpochSecond();
    }

    /**
     * Observes the cluster.
     *
     * @param underway the writes that were underway before the cluster was looked at: what is answered meanwhile is
     *     then in its facts
     */
    static CycleFacts observed(
            LoopSettings settings,
            Map<GangId, GangRecord> underway,
            ClusterView view,
            GangStarter starter,
            Instant began) {
        ClusterFacts facts = WritesUnderway.on(view.facts(), underway, view);
        Set<GangId> frozen = WritesUnderway.frozen(facts, underway, starter);
        Map<GangId, String> unreadable = view.unreadable();
        frozen.addAll(unreadable.keySet());
        return new CycleFacts(settings, facts, frozen, unreadable, began);
    }
}
