package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Kueue's groups of plain pods: a label names the group, an annotation says how many pods it has.
 *
 * <p>Source: kubernetes-sigs/kueue, pkg/controller/jobs/pod/constants.
 */
final class Kueue implements Convention {
    private static final String GROUP = "kueue.x-k8s.io/pod-group-name";
    private static final String SIZE = "kueue.x-k8s.io/pod-group-total-count";

    @Override
    public @Nullable Claim claim(Pod pod) {
        String group = Said.label(pod, GROUP);
        return group == null ? null : Claim.group(this, GROUP, group, null);
    }

    @Override
    public Extent extent(Claim claim, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        OptionalLong size = Said.annotated(pods, SIZE, Extent.LARGEST);
        return size.isPresent() ? new Extent.Together((int) size.getAsLong()) : new Extent.Unstated(claim.words());
    }
}
