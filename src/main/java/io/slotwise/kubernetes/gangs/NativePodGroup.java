package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes' own: {@code spec.schedulingGroup.podGroupName} of the pod, {@code spec.schedulingPolicy.gang.minCount} of
 * the PodGroup. A PodGroup of the policy {@code basic} is no gang.
 *
 * <p>Source: Kubernetes 1.37, staging/src/k8s.io/api/scheduling/v1beta1/types.go.
 */
final class NativePodGroup implements Convention {
    private static final String FIELD = "spec.schedulingGroup.podGroupName";

    @Override
    public @Nullable GangMembership claim(Pod pod) {
        var group = pod.getSpec().getSchedulingGroup();
        String name = group == null ? null : group.getPodGroupName();
        return name == null || name.isBlank() ? null : GangMembership.group(this, FIELD, name, GroupKind.POD_GROUP);
    }

    @Override
    public GangSize extent(GangMembership claim, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (group == null) {
            return new GangSize.Missing(GroupKind.POD_GROUP, claim.group());
        }
        Map<?, ?> policy = AnnotationParsing.fields(group, AnnotationParsing.spec(group), "schedulingPolicy");
        return policy.containsKey("basic")
                ? new GangSize.Apart()
                : new GangSize.Together(AnnotationParsing.size(group, "spec", "schedulingPolicy", "gang", "minCount"));
    }
}
