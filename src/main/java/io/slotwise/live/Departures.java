package io.slotwise.live;

import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** The gangs that have still to start, by second and by node. */
final class Departures {
    private final NavigableMap<Long, Long> pods = new TreeMap<>();
    private final Map<String, Long> firstOnNode = new HashMap<>();
    private final Map<String, Set<Window>> onTheirWay = new HashMap<>();

    /**
     * Those of {@code standings} that are promised or on their way; an advance reservation has no pods that could start. O(pods that are to start).
     *
     * @param perPod that the control plane needs for a pod on its way to the barrier, positive
     */
    Departures(Collection<Standing> standings, Duration perPod) {
        for (Standing standing : standings) {
            Promise promise = standing.promise();
            if (promise == null || standing.tenure().isHeld()) {
                continue;
            }
            Window window = promise.window();
            if (standing.phase() == Phase.STARTING
                    || (standing.phase() == Phase.RUNNING && !LifeCycle.isRecorded(standing))) {
                for (Placement place : window.placements()) {
                    onTheirWay
                            .computeIfAbsent(place.node(), _ -> Collections.newSetFromMap(new IdentityHashMap<>()))
                            .add(window);
                }
            }
            if (standing.phase() == Phase.PROMISED || standing.phase() == Phase.STARTING) {
                if (standing.phase() == Phase.PROMISED) {
                    pods.merge(window.start(), (long) window.placements().size(), Long::sum);
                }
                for (Placement place : window.placements()) {
                    firstOnNode.merge(place.node(), window.start(), Math::min);
                }
            }
        }
        long later = 0;
        long next = 0;
        for (Map.Entry<Long, Long> entry : pods.descendingMap().entrySet()) {
            long meanwhile =
                    later == 0 ? 0 : Duration.ofSeconds(next - entry.getKey()).dividedBy(perPod);
            later = entry.getValue() + Math.max(0, later - meanwhile);
            next = entry.getKey();
            entry.setValue(later);
        }
    }

    /**
     * How many pods that are not on their way yet have to be brought there before this second, if all that start in it or later are to
     * be in time: with those of this second the ones that later seconds have no time for.
     */
    long podsBefore(long second) {
        return pods.getOrDefault(second, 0L);
    }

    /** The windows of gangs that were sent to nodes of this one and that nobody has seen there yet. */
    Set<Window> onTheirWayTo(Window window) {
        Set<Window> there = Collections.newSetFromMap(new IdentityHashMap<>());
        window.placements().forEach(place -> there.addAll(onTheirWay.getOrDefault(place.node(), Set.of())));
        return there;
    }

    /** Whether no gang is to start on any node of this window before the window itself. */
    boolean nobodyBefore(Window window) {
        return window.placements().stream()
                .allMatch(place -> firstOnNode.getOrDefault(place.node(), window.start()) >= window.start());
    }
}
