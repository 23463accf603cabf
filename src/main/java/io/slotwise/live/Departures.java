package io.slotwise.live;

import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The gangs that have still to start, by second and by node. */
final class Departures {
    private final TreeMap<Long, Integer> pods = new TreeMap<>();
    private final Map<String, Long> firstOnNode = new HashMap<>();

    /** Those of {@code standings} that are promised or on their way; an advance reservation has no pods that could start. O(pods that are to start). */
    Departures(Collection<Standing> standings) {
        for (Standing standing : standings) {
            Promise promise = standing.promise();
            if (promise != null
                    && !standing.tenure().isHeld()
                    && (standing.phase() == Phase.PROMISED || standing.phase() == Phase.STARTING)) {
                Window window = promise.window();
                pods.merge(window.start(), window.placements().size(), Integer::sum);
                for (Placement place : window.placements()) {
                    firstOnNode.merge(place.node(), window.start(), Math::min);
                }
            }
        }
    }

    /** How many pods start in this second or the one before: they share the way to the barrier. */
    int podsUntil(long second) {
        return pods.subMap(second - 1, true, second, true).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** Whether no gang is to start on any node of this window before the window itself. */
    boolean nobodyBefore(Window window) {
        return window.placements().stream()
                .allMatch(place -> firstOnNode.getOrDefault(place.node(), window.start()) >= window.start());
    }
}
