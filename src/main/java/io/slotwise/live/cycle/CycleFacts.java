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
 * The facts of a cycle, the same from its beginning to its end.
 *
 * @param facts of the cluster, with the writes that were sent and not answered yet
 * @param frozen the gangs that this cycle leaves alone, among them the unreadable ones
 * @param unreadable the gangs whose records cannot be read, and why
 */
record CycleFacts(
        LoopSettings settings, ClusterFacts facts, Set<GangId> frozen, Map<GangId, String> unreadable, Instant began) {
    CycleFacts {
        frozen = Set.copyOf(frozen);
        unreadable = Map.copyOf(unreadable);
    }

    /** Returns the second in which the cycle began, since the epoch. */
    long now() {
        return began.getEpochSecond();
    }

    /**
     * Observes the cluster. The writes in flight ({@code underway}) are taken before: an answer that comes meanwhile is
     * then in the facts.
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
