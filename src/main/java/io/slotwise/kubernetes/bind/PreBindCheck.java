package io.slotwise.kubernetes.bind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The last look before a gang is bound: are its nodes there and have they room, and are its pods still the ones that
 * arrived? By what the watch has seen: nothing is read. That a pod is bound that was deleted or written to since, the
 * API server refuses by the UID and the version that a binding names.
 *
 * <p>What passes is held until all its bindings are answered: another gang that looks meanwhile finds the room taken,
 * whatever the watch has seen.
 */
final class PreBindCheck {
    private final NodeCapacityPort capacity;
    private final Map<String, List<BindRequest>> byNode = new HashMap<>();

    PreBindCheck(NodeCapacityPort capacity) {
        this.capacity = capacity;
    }

    /**
     * Holds the rooms of these pods, or says what stands in the way of binding them; then none is held. O(pods on their
     * nodes).
     */
    synchronized @Nullable String hold(List<BindRequest> members) {
        TreeMap<String, List<BindRequest>> coming = new TreeMap<>();
        members.forEach(request ->
                coming.computeIfAbsent(request.node(), _ -> new ArrayList<>()).add(request));
        for (Map.Entry<String, List<BindRequest>> entry : coming.entrySet()) {
            String obstacle =
                    capacity.obstacle(entry.getKey(), entry.getValue(), byNode.getOrDefault(entry.getKey(), List.of()));
            if (obstacle != null) {
                return obstacle;
            }
        }
        coming.forEach((node, pods) ->
                byNode.computeIfAbsent(node, _ -> new ArrayList<>()).addAll(pods));
        return null;
    }

    /** Gives back what was held for these pods: they are seen on their nodes, or will not come. */
    synchronized void release(List<BindRequest> members) {
        for (BindRequest request : members) {
            byNode.computeIfPresent(request.node(), (_, pods) -> {
                pods.remove(request);
                return pods.isEmpty() ? null : pods;
            });
        }
    }
}
