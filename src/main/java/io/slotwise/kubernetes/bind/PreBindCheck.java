package io.slotwise.kubernetes.bind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The last check before a gang is bound: its nodes exist and have room, and its pods are those that arrived. It uses
 * what the watches have delivered and sends no request. The API server itself refuses pods that were deleted or changed
 * since, by the UID and the version in a binding.
 *
 * <p>The room is reserved until all bindings are answered, so that other gangs find it taken, whatever the watch has
 * seen.
 */
final class PreBindCheck {
    private final NodeCapacityPort capacity;
    private final Map<String, List<BindRequest>> byNode = new HashMap<>();

    PreBindCheck(NodeCapacityPort capacity) {
        this.capacity = capacity;
    }

    /**
     * Reserves the room of these pods. Returns why they cannot be bound, in which case nothing is reserved, or null.
     * O(pods on their nodes).
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

    /** Releases the reserved room of these pods: they are seen on their nodes, or will not be bound. */
    synchronized void release(List<BindRequest> members) {
        for (BindRequest request : members) {
            byNode.computeIfPresent(request.node(), (_, pods) -> {
                pods.remove(request);
                return pods.isEmpty() ? null : pods;
            });
        }
    }
}
