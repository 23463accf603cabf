package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.NodeCapacityPort;
import io.slotwise.kubernetes.manifest.neighbours.AntiAffinity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The room of nodes by the watch. O(pods of the node + placements of the gangs that start or run there). */
public final class WatchedCapacity implements NodeCapacityPort {
    private final ClusterWatch watch;

    public WatchedCapacity(ClusterWatch watch) {
        this.watch = watch;
    }

    @Override
    public @Nullable String obstacle(String name, List<BindRequest> coming, List<BindRequest> others) {
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
        List<Pod> all = new ArrayList<>(pods);
        for (BindRequest other : others) {
            Pod pod = watch.pod(other.namespace(), other.pod());
            if (pod != null && other.uid().equals(pod.getMetadata().getUid()) && !PodState.isOver(pod)) {
                all.add(pod);
            }
        }
        coming.stream()
                .findFirst()
                .ifPresent(first -> all.addAll(watch.roomCheck().ahead(name, first)));
        String shortage = watch.roomCheck().shortage(name, all);
        return shortage == null
                ? conflict(name, pods)
                : "the room on node %s is taken: its %s is short".formatted(name, shortage);
    }

    /** Returns a pod that must not share the node with one of these, or null. O(pods of the node x new pods). */
    private @Nullable String conflict(String name, List<Pod> coming) {
        Node node = watch.node(name);
        for (Pod pod : coming) {
            Pod other = node == null ? null : AntiAffinity.conflict(node, watch.podsOn(name), pod);
            if (other != null) {
                return "pod %s/%s on node %s must not share it with pod %s"
                        .formatted(
                                other.getMetadata().getNamespace(),
                                other.getMetadata().getName(),
                                name,
                                pod.getMetadata().getName());
            }
        }
        return null;
    }

    @Override
    public void bound(BindRequest request) {
        watch.bound(request.namespace(), request.pod(), request.uid(), request.node());
    }
}
