package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.Rooms;
import io.slotwise.kubernetes.manifest.NodeRoom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rooms of the nodes as the watch has them. O(pods of the node). */
public final class WatchedRooms implements Rooms {
    private final ClusterWatch watch;

    /** Rooms of what {@code watch} sees. */
    public WatchedRooms(ClusterWatch watch) {
        this.watch = watch;
    }

    @Override
    public @Nullable String obstacle(String name, List<BindRequest> coming) {
        Node node = watch.node(name);
        if (node == null) {
            return null;
        }
        Map<String, Pod> there = new LinkedHashMap<>();
        watch.podsOn(name).forEach(pod -> there.put(pod.getMetadata().getUid(), pod));
        for (BindRequest request : coming) {
            Pod pod = watch.pod(request.namespace(), request.pod());
            if (pod != null) {
                there.put(request.uid(), pod);
            }
        }
        String shortage = NodeRoom.shortage(node, there.values());
        return shortage == null ? null : "the room on node %s is taken: its %s is short".formatted(name, shortage);
    }
}
