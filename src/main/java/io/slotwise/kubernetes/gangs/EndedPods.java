package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What objects say of the members of a gang that have ended. Where the status of a Job speaks, it alone counts for the
 * pods of that Job.
 *
 * @param jobs by the name of each such Job, how many of its pods have done their work, or have failed for good, and are
 *     not made again
 * @param earlier the roles of a JobSet whose pods belong to other waves
 */
public record EndedPods(Map<String, Integer> jobs, Set<String> earlier) {
    /** Objects say nothing. */
    public static final EndedPods NONE = new EndedPods(Map.of(), Set.of());

    public EndedPods {
        jobs = Map.copyOf(jobs);
        earlier = Set.copyOf(earlier);
    }

    /** What both say, of different Jobs. */
    EndedPods and(EndedPods other) {
        Map<String, Integer> all = new HashMap<>(jobs);
        all.putAll(other.jobs);
        Set<String> roles = new HashSet<>(earlier);
        roles.addAll(other.earlier);
        return new EndedPods(all, roles);
    }

    /** How many members have ended: those that objects count, and these others. O(pods and Jobs). */
    public int with(List<Pod> finished) {
        int counted = jobs.values().stream().mapToInt(Integer::intValue).sum();
        return counted + (int) finished.stream().filter(this::isOther).count();
    }

    /** Whether a pod that succeeded is a member that objects do not count. */
    private boolean isOther(Pod pod) {
        OwnerReference owner = IndexedJob.job(pod);
        return (owner == null || !jobs.containsKey(owner.getName()))
                && !earlier.contains(String.valueOf(AnnotationParsing.label(pod, JobSetConvention.ROLE)));
    }
}
