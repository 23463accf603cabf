package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.PodRosterPort;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pods by the watch. */
public final class WatchedRoster implements PodRosterPort {
    private final ClusterWatch watch;

    public WatchedRoster(ClusterWatch watch) {
        this.watch = watch;
    }

    @Override
    public boolean isCurrent() {
        return watch.isCurrent();
    }

    @Override
    public boolean isAsPromised(GangRecord record) {
        return watch.isAsPromised(record);
    }

    @Override
    public List<BindRequest> direct(GangId gang, WindowSpec window) {
        return window.placement().stream()
                .flatMap(placement -> Stream.ofNullable(watch.pod(gang.namespace(), placement.pod()))
                        .filter(pod -> watch.goesDirect(pod)
                                && !PodState.isOver(pod)
                                && pod.getSpec().getNodeName() == null)
                        .map(pod -> new BindRequest(
                                gang.namespace(),
                                placement.pod(),
                                pod.getMetadata().getUid(),
                                placement.node())))
                .toList();
    }

    @Override
    public boolean isLate(String namespace, String name) {
        return watch.isLate(namespace, name) && watch.pod(namespace, name) == null;
    }

    @Override
    public boolean isThere(String namespace, String name, String uid) {
        Pod pod = watch.pod(namespace, name);
        return pod != null && uid.equals(pod.getMetadata().getUid()) && !PodState.isOver(pod);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Another object means that this program has written to the pod.
    public @Nullable String version(BindRequest request) {
        Pod seenPod = watch.watched(request.namespace(), request.pod());
        return seenPod != null
                        && request.uid().equals(seenPod.getMetadata().getUid())
                        && seenPod == watch.pod(request.namespace(), request.pod())
                ? watch.versionOf(seenPod)
                : null;
    }

    @Override
    public @Nullable String schedulerName(BindRequest request) {
        Pod seenPod = watch.watched(request.namespace(), request.pod());
        return seenPod != null && request.uid().equals(seenPod.getMetadata().getUid())
                ? seenPod.getSpec().getSchedulerName()
                : null;
    }
}
