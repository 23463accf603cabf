package io.slotwise.live.start;

import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/** The windows of gangs that are on their way to their nodes and that this replica has not seen there yet, by node. */
final class WindowsInTransit {
    private final Map<String, Set<Window>> byNode = new HashMap<>();

    /** Those of {@code standings}. O(their pods). */
    WindowsInTransit(Collection<GangRecord> standings) {
        for (GangRecord standing : standings) {
            Promise promise = standing.promise();
            if (promise != null && !standing.tenure().isHeld()) {
                for (Placement place : promise.window().placements()) {
                    byNode.computeIfAbsent(place.node(), _ -> Collections.newSetFromMap(new IdentityHashMap<>()))
                            .add(promise.window());
                }
            }
        }
    }

    /** The windows of gangs that are on their way to nodes of this one. */
    Set<Window> to(Window window) {
        Set<Window> there = Collections.newSetFromMap(new IdentityHashMap<>());
        window.placements().forEach(place -> there.addAll(byNode.getOrDefault(place.node(), Set.of())));
        there.remove(window);
        return there;
    }
}
