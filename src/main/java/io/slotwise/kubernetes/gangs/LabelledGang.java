package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A gang that a label of its pods names. Its size is the {@code spec.minMember} of the PodGroup with this name, or in
 * an annotation of the pods.
 *
 * @param size the annotation, or null
 * @param kind the PodGroup, or null
 */
record LabelledGang(
        String label, @Nullable String size, @Nullable GroupKind kind) implements Convention {
    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String group = AnnotationParsing.label(pod, label);
        return group == null ? null : GangMembership.group(this, label, group, kind);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (kind == GroupKind.KOORDINATOR) {
            KoordinatorConvention.refuseBundles(pods, group);
        }
        if (kind != null) {
            return group == null
                    ? new GangSize.Missing(kind, membership.group())
                    : new GangSize.Together(AnnotationParsing.size(group, "spec", "minMember"));
        }
        OptionalLong stated =
                size == null ? OptionalLong.empty() : AnnotationParsing.annotated(pods, size, GangSize.LARGEST);
        return stated.isPresent()
                ? new GangSize.Together((int) stated.getAsLong())
                : new GangSize.Unstated(membership.words());
    }
}
