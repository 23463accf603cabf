package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.Rooms;
import java.util.ArrayList;
import java.util.List;
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
        if (!watch.ready()) {
            return null;
        }
        if (watch.node(name) == null) {
            return "node " + name + " is gone";
        }
        List<Pod> pods = new ArrayList<>();
        for (BindRequest request : coming) {
            Pod pod = watch.pod(request.namespace(), request.pod());
            if (pod == null || !request.uid().equals(pod.getMetadata().getUid())) {
                return "pod " + request.podName() + " is gone";
            }
            pods.add(pod);
        }
        String shortage = watch.shortage(name, pods);
        return shortage == null ? null : "the room on node %s is taken: its %s is short".formatted(name, shortage);
    }

    @Override
    public void bound(BindRequest pod) {
        watch.bound(pod.namespace(), pod.pod(), pod.uid(), pod.node());
    }
}
