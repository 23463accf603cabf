package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Kueue's groups of plain pods: a label names the group, an annotation states its number of pods.
 *
 * <p>Source: kubernetes-sigs/kueue, pkg/controller/jobs/pod/constants.
 */
final class KueueConvention implements Convention {
    private static final String GROUP = "kueue.x-k8s.io/pod-group-name";
    private static final String SIZE = "kueue.x-k8s.io/pod-group-total-count";

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String group = AnnotationParsing.label(pod, GROUP);
        return group == null ? null : GangMembership.group(this, GROUP, group, null);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        OptionalLong size = AnnotationParsing.annotated(pods, SIZE, GangSize.LARGEST);
        return size.isPresent()
                ? new GangSize.Together((int) size.getAsLong())
                : new GangSize.Unstated(membership.words());
    }
}
