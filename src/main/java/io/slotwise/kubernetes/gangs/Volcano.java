package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.Shown;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Volcano: an annotation names a PodGroup, whose {@code spec.minMember} is the size unless the pods say it themselves. Pods that say
 * only the size are those of one controller, for which Volcano makes a PodGroup {@code podgroup-UID}.
 *
 * <p>Source: volcano-sh/apis, pkg/apis/scheduling/v1beta1/labels.go; volcano-sh/volcano, pkg/controllers/podgroup.
 */
final class Volcano implements Convention {
    private static final String GROUP = "scheduling.k8s.io/group-name";
    private static final String GROUP_TOO = "scheduling.volcano.sh/group-name";
    private static final String SIZE = "scheduling.volcano.sh/group-min-member";

    @Override
    public @Nullable Claim claim(Pod pod) {
        for (String key : List.of(GROUP, GROUP_TOO)) {
            String group = Said.annotation(pod, key);
            if (group != null) {
                return Claim.group(this, key, group, GroupKind.VOLCANO);
            }
        }
        String size = Said.annotation(pod, SIZE);
        return size == null ? null : ofController(pod, size);
    }

    private Claim ofController(Pod pod, String size) {
        OwnerReference controller = Said.controller(pod);
        return controller == null || controller.getUid() == null
                ? Claim.unclear(
                        this,
                        pod,
                        "`%s` (%s) of %s needs the annotation `%s`: expected the gang's name"
                                .formatted(SIZE, Shown.value(size), Said.name(pod), GROUP))
                : Claim.group(this, SIZE, "podgroup-" + controller.getUid(), GroupKind.VOLCANO);
    }

    @Override
    public Extent extent(Claim claim, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        OptionalLong size = Said.annotated(pods, SIZE, Extent.LARGEST);
        if (size.isPresent()) {
            return new Extent.Together((int) size.getAsLong());
        }
        return group == null
                ? new Extent.Missing(GroupKind.VOLCANO, claim.group())
                : new Extent.Together(Said.size(group, "spec", "minMember"));
    }
}
