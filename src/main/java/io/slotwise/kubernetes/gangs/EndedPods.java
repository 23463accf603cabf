package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What objects say of the members of a gang that have ended. Where the status of a Job speaks, it alone counts for the
 * pods of that Job.
 *
 * @param count how many have done their work, or have failed for good, and are not made again
 * @param job the Job whose pods {@code count} is of; null: it is of none
 * @param earlier the roles of a JobSet whose pods belong to other waves
 */
public record EndedPods(int count, @Nullable String job, Set<String> earlier) {
    /** Objects say nothing. */
    public static final EndedPods NONE = new EndedPods(0, null, Set.of());

    public EndedPods {
        earlier = Set.copyOf(earlier);
    }

    /** What both say; where both count the pods of a Job, the first does. */
    EndedPods and(EndedPods other) {
        Set<String> roles = new HashSet<>(earlier);
        roles.addAll(other.earlier);
        return job == null ? new EndedPods(other.count, other.job, roles) : new EndedPods(count, job, roles);
    }

    /** How many members have ended: those that objects count, and these others. O(pods). */
    public int with(List<Pod> finished) {
        return count + (int) finished.stream().filter(this::isOther).count();
    }

    /** Whether a pod that succeeded is a member that objects do not count. */
    private boolean isOther(Pod pod) {
        OwnerReference owner = IndexedJob.job(pod);
        return (job == null || owner == null || !job.equals(owner.getName()))
                && !earlier.contains(String.valueOf(AnnotationParsing.label(pod, JobSetConvention.ROLE)));
    }
}
