package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ended members of a gang by the objects that state them. If the status of a Job does, only that counts for the
 * Job's pods.
 *
 * @param jobs the number of pods that have finished their work or failed for good and are not recreated, by the name of
 *     the Job
 * @param earlier the roles of a JobSet whose pods belong to other waves
 */
public record EndedPods(Map<String, Integer> jobs, Set<String> earlier) {
    public static final EndedPods NONE = new EndedPods(Map.of(), Set.of());

    public EndedPods {
        jobs = Map.copyOf(jobs);
        earlier = Set.copyOf(earlier);
    }

    EndedPods and(EndedPods other) {
        Map<String, Integer> all = new HashMap<>(jobs);
        all.putAll(other.jobs);
        Set<String> roles = new HashSet<>(earlier);
        roles.addAll(other.earlier);
        return new EndedPods(all, roles);
    }

    /** Returns the number of ended members: those that objects count, and these others. O(pods and Jobs). */
    public int with(List<Pod> finished) {
        int counted = jobs.values().stream().mapToInt(Integer::intValue).sum();
        return counted + (int) finished.stream().filter(this::isOther).count();
    }

    /** Returns whether a pod that succeeded is a member that objects do not count. */
    private boolean isOther(Pod pod) {
        OwnerReference owner = IndexedJob.job(pod);
        return (owner == null || !jobs.containsKey(owner.getName()))
                && !earlier.contains(String.valueOf(AnnotationParsing.label(pod, JobSetConvention.ROLE)));
    }
}
