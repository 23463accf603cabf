package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Slotwise's own label. The size is an annotation that precedes every convention's number, so there is none here. */
final class OwnLabel implements Convention {
    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String gang = AnnotationParsing.label(pod, Conventions.OWN_LABEL);
        return gang == null ? null : GangMembership.group(this, Conventions.OWN_LABEL, gang, null);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        return new GangSize.Unstated(membership.words());
    }
}
