package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Slotwise's own label; the size is an annotation that goes before every convention's figure, so there is none here. */
final class OwnLabel implements Convention {
    @Override
    public @Nullable Claim claim(Pod pod) {
        String gang = Said.label(pod, Conventions.OWN_LABEL);
        return gang == null ? null : Claim.group(this, Conventions.OWN_LABEL, gang, null);
    }

    @Override
    public Extent extent(Claim claim, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        return new Extent.Unstated(claim.words());
    }
}
