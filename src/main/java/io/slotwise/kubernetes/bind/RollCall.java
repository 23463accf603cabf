package io.slotwise.kubernetes.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The last look before a gang is bound: are its nodes there and have they room, and are its pods still the ones that arrived? By what the watch has
 * seen: nothing is read. That a pod is bound that was deleted or written to since, the API server refuses by the UID and the version that a binding names.
 */
final class RollCall {
    private final Rooms rooms;

    RollCall(Rooms rooms) {
        this.rooms = rooms;
    }

    /** What stands in the way of binding these, or null. O(pods on their nodes). */
    @Nullable
    String obstacle(List<BindRequest> members) {
        TreeMap<String, List<BindRequest>> nodes = new TreeMap<>();
        members.forEach(member ->
                nodes.computeIfAbsent(member.node(), node -> new ArrayList<>()).add(member));
        for (Map.Entry<String, List<BindRequest>> node : nodes.entrySet()) {
            String obstacle = rooms.obstacle(node.getKey(), node.getValue());
            if (obstacle != null) {
                return obstacle;
            }
        }
        return null;
    }
}
