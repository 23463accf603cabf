package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Volcano: an annotation names a PodGroup, whose {@code spec.minMember} is the size unless the pods say it themselves.
 * Pods that say only the size are those of one controller, for which Volcano makes a PodGroup {@code podgroup-UID}.
 *
 * <p>Source: volcano-sh/apis, pkg/apis/scheduling/v1beta1/labels.go; volcano-sh/volcano, pkg/controllers/podgroup.
 */
final class VolcanoConvention implements Convention {
    private static final String GROUP = "scheduling.k8s.io/group-name";
    private static final String GROUP_TOO = "scheduling.volcano.sh/group-name";
    private static final String SIZE = "scheduling.volcano.sh/group-min-member";

    @Override
    public @Nullable GangMembership claim(Pod pod) {
        for (String key : List.of(GROUP, GROUP_TOO)) {
            String group = AnnotationParsing.annotation(pod, key);
            if (group != null) {
                return GangMembership.group(this, key, group, GroupKind.VOLCANO);
            }
        }
        String size = AnnotationParsing.annotation(pod, SIZE);
        return size == null ? null : ofController(pod, size);
    }

    private GangMembership ofController(Pod pod, String size) {
        OwnerReference controller = AnnotationParsing.controller(pod);
        return controller == null || controller.getUid() == null
                ? GangMembership.unclear(
                        this,
                        pod,
                        "`%s` (%s) of %s needs the annotation `%s`: expected the gang's name"
                                .formatted(SIZE, SafeText.value(size), AnnotationParsing.name(pod), GROUP))
                : GangMembership.group(this, SIZE, "podgroup-" + controller.getUid(), GroupKind.VOLCANO);
    }

    @Override
    public GangSize extent(GangMembership claim, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        OptionalLong size = AnnotationParsing.annotated(pods, SIZE, GangSize.LARGEST);
        if (size.isPresent()) {
            return new GangSize.Together((int) size.getAsLong());
        }
        return group == null
                ? new GangSize.Missing(GroupKind.VOLCANO, claim.group())
                : new GangSize.Together(AnnotationParsing.size(group, "spec", "minMember"));
    }
}
