package io.slotwise.kubernetes.manifest.file;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Workloads of a cluster in files without their pods. Nothing of these is planned. */
final class OwnersWithoutPods {
    private OwnersWithoutPods() {}

    /** The conditions of a workload that makes no more pods. */
    private static final Set<String> ENDS = Set.of("Complete", "Completed", "Succeeded", "Failed");

    /** Returns a warning for each that has not ended, in the order of the objects. O(objects + pods). */
    static List<IntakeWarning> warnings(List<GenericKubernetesResource> objects, List<Pod> pods) {
        GroupObjects groupObjects = GroupObjects.of(objects);
        Set<GroupKey> named = new HashSet<>();
        pods.forEach(pod -> named.addAll(Conventions.groups(pod, groupObjects)));
        return objects.stream()
                .filter(object -> isWorkload(object) && !named.contains(GroupKey.of(object)))
                .map(OwnersWithoutPods::warning)
                .toList();
    }

    private static boolean isWorkload(GenericKubernetesResource object) {
        GroupKind kind = GroupKind.of(object);
        return kind != null
                && kind.makesPods()
                && !hasEnded(object)
                && object.getMetadata().getUid() != null
                && (kind != GroupKind.JOB || !Integer.valueOf(0).equals(object.get("spec", "parallelism")));
    }

    private static boolean hasEnded(GenericKubernetesResource object) {
        return object.get("status", "conditions") instanceof List<?> conditions
                && conditions.stream()
                        .anyMatch(condition -> condition instanceof Map<?, ?> fields
                                && fields.get("type") instanceof String type
                                && ENDS.contains(type)
                                && "True".equals(fields.get("status")));
    }

    private static boolean isSuspended(GenericKubernetesResource job) {
        return Boolean.TRUE.equals(job.get("spec", "suspend"));
    }

    private static IntakeWarning warning(GenericKubernetesResource object) {
        String namespace = object.getMetadata().getNamespace();
        String name = object.getMetadata().getName();
        return new IntakeWarning(
                IntakeWarning.Reason.IGNORED,
                Subject.of(object),
                "%s %s/%s %s has no pods here and is not planned: expected the pods that its controller makes"
                        .formatted(
                                object.getKind(),
                                namespace,
                                name,
                                isSuspended(object) ? "is suspended in its cluster," : "is in a cluster,"));
    }
}
