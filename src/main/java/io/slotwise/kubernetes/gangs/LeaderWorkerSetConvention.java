package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A leader and its workers: each group of a LeaderWorkerSet is a gang. The size is an annotation of the pods.
 *
 * <p>Source: kubernetes-sigs/lws, api/leaderworkerset/v1.
 */
final class LeaderWorkerSetConvention implements Convention {
    /** Label of a pod: its place in its group, 0 for the leader. */
    static final String WORKER = "leaderworkerset.sigs.k8s.io/worker-index";

    private static final String NAME = "leaderworkerset.sigs.k8s.io/name";
    private static final String INDEX = "leaderworkerset.sigs.k8s.io/group-index";
    private static final String SIZE = "leaderworkerset.sigs.k8s.io/size";
    /** Annotation of a set and its pods: the level of which each group has a domain of its own. */
    static final String EXCLUSIVE = "leaderworkerset.sigs.k8s.io/exclusive-topology";

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String name = AnnotationParsing.label(pod, NAME);
        String index = AnnotationParsing.label(pod, INDEX);
        if (name == null || index == null) {
            return null;
        }
        return new GangMembership(
                this,
                "leaderworkerset-" + name + "-" + index,
                name,
                GroupKind.LEADER_WORKER_SET,
                () -> "`%s` (%s) and `%s` (%s)".formatted(NAME, name, INDEX, index),
                null);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        OptionalLong size = AnnotationParsing.annotated(pods, SIZE, GangSize.LARGEST);
        return size.isPresent()
                ? new GangSize.Together((int) size.getAsLong())
                : new GangSize.Unstated(membership.words());
    }

    /** Returns whether a set, or that of a pod, creates the workers of a group only when the leader has a node. */
    static boolean isExclusive(HasMetadata object) {
        return AnnotationParsing.annotation(object, EXCLUSIVE) != null;
    }

    static @Nullable GroupKey setOf(Pod pod) {
        String name = AnnotationParsing.label(pod, NAME);
        return name == null
                ? null
                : new GroupKey(GroupKind.LEADER_WORKER_SET, pod.getMetadata().getNamespace(), name);
    }
}
