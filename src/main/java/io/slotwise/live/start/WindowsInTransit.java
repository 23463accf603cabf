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

/** The windows of gangs that are on their way and that this replica has not seen on their nodes yet, by node. */
final class WindowsInTransit {
    private final Map<String, Set<Window>> byNode = new HashMap<>();

    /** Collects the windows of {@code records}. O(their pods). */
    WindowsInTransit(Collection<GangRecord> records) {
        for (GangRecord record : records) {
            Promise promise = record.promise();
            if (promise != null && !record.ownership().isHeld()) {
                for (Placement placement : promise.window().placements()) {
                    byNode.computeIfAbsent(placement.node(), _ -> Collections.newSetFromMap(new IdentityHashMap<>()))
                            .add(promise.window());
                }
            }
        }
    }

    /** Returns the other windows that use a node of this one. */
    Set<Window> to(Window window) {
        Set<Window> there = Collections.newSetFromMap(new IdentityHashMap<>());
        window.placements().forEach(placement -> there.addAll(byNode.getOrDefault(placement.node(), Set.of())));
        there.remove(window);
        return there;
    }
}
