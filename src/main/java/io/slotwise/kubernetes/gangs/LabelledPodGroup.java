package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The coscheduling plugin of scheduler-plugins: a label names a PodGroup, whose {@code spec.minMember} is the size.
 *
 * <p>Source: kubernetes-sigs/scheduler-plugins, apis/scheduling/v1alpha1.
 */
final class LabelledPodGroup implements Convention {
    private final String key;
    private final GroupKind kind;

    LabelledPodGroup(String key, GroupKind kind) {
        this.key = key;
        this.kind = kind;
    }

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String group = AnnotationParsing.label(pod, key);
        return group == null ? null : GangMembership.group(this, key, group, kind);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (kind == GroupKind.KOORDINATOR) {
            KoordinatorConvention.refuseBundles(pods, group);
        }
        return group == null
                ? new GangSize.Missing(kind, membership.group())
                : new GangSize.Together(AnnotationParsing.size(group, "spec", "minMember"));
    }
}
