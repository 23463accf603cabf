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
final class LeaderWorkerSet implements Convention {
    private static final String NAME = "leaderworkerset.sigs.k8s.io/name";
    private static final String INDEX = "leaderworkerset.sigs.k8s.io/group-index";
    private static final String SIZE = "leaderworkerset.sigs.k8s.io/size";

    @Override
    public @Nullable Claim claim(Pod pod) {
        String name = Said.label(pod, NAME);
        String index = Said.label(pod, INDEX);
        if (name == null || index == null) {
            return null;
        }
        String group = name + "-" + index;
        String words = "`%s` (%s) and `%s` (%s)".formatted(NAME, name, INDEX, index);
        return new Claim(this, "leaderworkerset-" + group, group, null, words, null);
    }

    @Override
    public Extent extent(Claim claim, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        OptionalLong size = Said.annotated(pods, SIZE, Extent.LARGEST);
        return size.isPresent() ? new Extent.Together((int) size.getAsLong()) : new Extent.Unstated(claim.words());
    }
}
