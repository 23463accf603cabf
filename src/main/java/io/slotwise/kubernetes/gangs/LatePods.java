package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The placements of late pods, which a controller creates only when other pods of their gang are ready. Each is planned
 * with the gang, under the name of the controller's pod without a random suffix: {@code JOB-INDEX} for a Job's.
 */
public final class LatePods {
    private static final List<String> ROLES = List.of(
            JobSetConvention.ROLE, VolcanoConvention.TASK, KubeflowConvention.ROLE, LeaderWorkerSetConvention.WORKER);

    private static final Set<String> MAKERS = Set.of(GroupKind.MPI_JOB.kind(), GroupKind.VOLCANO_JOB.kind());

    private LatePods() {}

    /**
     * Returns the pods that have taken these placements. A pod of a Job takes the placement of its index, without an
     * index the next free one of its Job. Any other pod takes the one of its own name. O(pods).
     *
     * @param pods the pods in the order of their creation
     * @return the pods by placement
     */
    public static Map<String, Pod> taken(Collection<String> latePods, List<Pod> pods) {
        Map<String, Pod> taken = new HashMap<>();
        if (latePods.isEmpty()) {
            return taken;
        }
        Set<String> free = new HashSet<>(latePods);
        Map<String, Integer> next = new HashMap<>();
        for (Pod pod : pods) {
            String name = freeName(pod, free, next);
            if (name != null && free.remove(name)) {
                taken.put(name, pod);
            }
        }
        return taken;
    }

    private static @Nullable String freeName(Pod pod, Set<String> free, Map<String, Integer> next) {
        String name = pod.getMetadata().getName();
        OwnerReference job = IndexedJob.job(pod);
        if (free.contains(name) || job == null) {
            return name;
        }
        String index = IndexedJob.index(pod);
        return job.getName() + "-" + (index == null ? next.merge(job.getName(), 1, Integer::sum) - 1 : index);
    }

    /** Returns the object that describes the late pods of this pod's gang, or null. */
    public static @Nullable GroupKey maker(Pod pod) {
        GroupKey jobSetKey = JobSetWaves.setOf(pod);
        GroupKey setKey = jobSetKey == null ? LeaderWorkerSetConvention.setOf(pod) : jobSetKey;
        OwnerReference owner = setKey == null ? Owners.controller(pod) : null;
        return owner != null && MAKERS.contains(owner.getKind()) ? Owners.of(pod) : setKey;
    }

    public static boolean areOfOneRole(Pod pod, Pod other) {
        return ROLES.stream()
                .anyMatch(key -> role(pod, key) != null && Objects.equals(role(pod, key), role(other, key)));
    }

    private static @Nullable String role(Pod pod, String key) {
        String label = AnnotationParsing.label(pod, key);
        return label == null ? AnnotationParsing.annotation(pod, key) : label;
    }

    /**
     * Returns whether the pods of an object may be created at several times, so that its templates describe the later
     * ones.
     */
    public static boolean areIn(GenericKubernetesResource object) {
        GroupKind kind = GroupKind.of(object);
        try {
            ObjectPart specPart = ObjectPart.spec(object);
            return (kind == GroupKind.MPI_JOB && "WaitForWorkersReady".equals(specPart.get("launcherCreationPolicy")))
                    || (kind == GroupKind.VOLCANO_JOB && depends(specPart, "tasks"))
                    || (kind == GroupKind.LEADER_WORKER_SET
                            && ("LeaderReady".equals(specPart.get("startupPolicy"))
                                    || LeaderWorkerSetConvention.isExclusive(object)))
                    || (kind == GroupKind.JOB_SET
                            && (depends(specPart, "replicatedJobs") || JobSetConvention.isInOrder(specPart)));
        } catch (IllegalArgumentException e) {
            // The gangs are refused with this message.
            return false;
        }
    }

    private static boolean depends(ObjectPart specPart, String roles) {
        return specPart.items(roles).stream().anyMatch(role -> role.get("dependsOn") != null);
    }
}
