package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One leader and its workers: each group of a LeaderWorkerSet is a gang. The size is an annotation of the pods.
 *
 * <p>Source: kubernetes-sigs/lws, api/leaderworkerset/v1.
 */
final class LeaderWorkerSetConvention implements Convention {
    private static final String NAME = "leaderworkerset.sigs.k8s.io/name";
    private static final String INDEX = "leaderworkerset.sigs.k8s.io/group-index";
    private static final String SIZE = "leaderworkerset.sigs.k8s.io/size";

    @Override
    public @Nullable GangMembership claim(Pod pod) {
        String name = AnnotationParsing.label(pod, NAME);
        String index = AnnotationParsing.label(pod, INDEX);
        if (name == null || index == null) {
            return null;
        }
        String words = "`%s` (%s) and `%s` (%s)".formatted(NAME, name, INDEX, index);
        return new GangMembership(
                this, "leaderworkerset-" + name + "-" + index, name, GroupKind.LEADER_WORKER_SET, words, null);
    }

    @Override
    public GangSize extent(GangMembership claim, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        OptionalLong size = AnnotationParsing.annotated(pods, SIZE, GangSize.LARGEST);
        return size.isPresent() ? new GangSize.Together((int) size.getAsLong()) : new GangSize.Unstated(claim.words());
    }
}
