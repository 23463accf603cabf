package io.slotwise.live;

import io.slotwise.core.gang.GangId;
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
record Scene(Settings settings, Facts facts, Set<GangId> frozen, Map<GangId, String> unreadable, Instant began) {
    Scene {
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
     * @param underway the writes that were underway before the cluster was looked at: what is answered meanwhile is then in its facts
     */
    static Scene observed(
            Settings settings, Map<GangId, Standing> underway, ClusterView view, GangStarter starter, Instant began) {
        Facts facts = Underway.on(view.facts(), underway, starter, view);
        Set<GangId> frozen = Underway.frozen(facts, underway, starter);
        Map<GangId, String> unreadable = view.unreadable();
        frozen.addAll(unreadable.keySet());
        return new Scene(settings, facts, frozen, unreadable, began);
    }
}
