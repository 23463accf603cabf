package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the conventions say of one gang. */
public final class GangRecognition {
    private final List<Pod> pods;
    private final List<GangMembership> memberships;
    private final GroupObjects groups;
    private final boolean grouped;

    /**
     * A recognition.
     *
     * @param memberships those that count; empty: none names a gang
     * @param grouped whether the pods have a name in common, though it may count for nothing
     */
    private GangRecognition(List<Pod> pods, List<GangMembership> memberships, GroupObjects groups, boolean grouped) {
        this.pods = pods;
        this.memberships = memberships;
        this.groups = groups;
        this.grouped = grouped;
    }

    /**
     * Recognises a gang. O(pods).
     *
     * @param pods of one gang by {@link Conventions#gangOf}, at least one
     * @throws IllegalArgumentException if it is not clear which gang they mean; the message is a sentence
     */
    public static GangRecognition of(List<Pod> pods, GroupObjects groups) {
        List<GangMembership> memberships = Conventions.claims(pods);
        List<GangMembership> counting = memberships.stream()
                .filter(membership -> membership.kind() != GroupKind.POD_GROUP
                        || !NativePodGroup.saysNothing(pods.getFirst(), find(membership, pods, groups), groups))
                .toList();
        return new GangRecognition(
                pods, Conventions.areNaming(counting) ? counting : List.of(), groups, !memberships.isEmpty());
    }

    /** Whether any convention names the gang; else it is one pod by itself. */
    public boolean isNamed() {
        return !memberships.isEmpty();
    }

    /**
     * How many of the pods must start together, by the first convention that says it. O(pods).
     *
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    public GangSize extent() {
        GangSize first = null;
        for (GangMembership membership : memberships) {
            GangSize size = membership.convention().extent(membership, pods, group(membership), groups);
            if (!(size instanceof GangSize.Unstated)) {
                return size instanceof GangSize.Together together ? withEnded(together) : size;
            }
            first = first == null ? size : first;
        }
        GangSize noSize = grouped ? new GangSize.Apart() : new GangSize.Together(1);
        return first == null ? noSize : first;
    }

    /**
     * The same of a gang of which so many pods start together, by a figure that goes before all conventions: some of
     * them may have ended. The Jobs of all pods are asked, whichever convention names the gang. O(pods).
     *
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    public GangSize.Together withEnded(GangSize.Together together) {
        EndedPods ended = EndedPods.NONE;
        for (GangMembership membership : memberships) {
            ended = ended.and(membership.convention().ended(pods, group(membership)));
        }
        List<GroupKey> jobs = pods.stream()
                .filter(pod -> IndexedJob.job(pod) != null)
                .flatMap(pod -> Stream.ofNullable(Owners.of(pod)))
                .distinct()
                .toList();
        for (GenericKubernetesResource job : Owners.found(jobs, groups).toList()) {
            ended = ended.and(JobProgress.ended(together.size(), job));
        }
        return together.after(ended);
    }

    /**
     * The longest time that the gang may run, as other projects say it: on its pods, on an object on the way to their
     * root owners, or on one that names the gang.
     *
     * @return seconds, the same on every node; null: neither says it
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    public @Nullable Long timeLimit() {
        List<GenericKubernetesResource> named = memberships.stream()
                .flatMap(membership -> Stream.ofNullable(group(membership)))
                .toList();
        return TimeLimit.of(pods, named, groups);
    }

    private @Nullable GenericKubernetesResource group(GangMembership membership) {
        return find(membership, pods, groups);
    }

    private static @Nullable GenericKubernetesResource find(
            GangMembership membership, List<Pod> pods, GroupObjects groups) {
        return membership.kind() == null
                ? null
                : groups.find(new GroupKey(
                        membership.kind(), pods.getFirst().getMetadata().getNamespace(), membership.group()));
    }
}
