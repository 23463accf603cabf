package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the conventions say of one gang. */
public final class GangRecognition {
    private final List<Pod> pods;
    private final List<GangMembership> claims;
    private final GroupObjects groups;
    private final boolean grouped;

    /**
     * A recognition.
     *
     * @param claims those that count; empty: none names a gang
     * @param grouped whether the pods have a name in common, though it may count for nothing
     */
    private GangRecognition(List<Pod> pods, List<GangMembership> claims, GroupObjects groups, boolean grouped) {
        this.pods = pods;
        this.claims = claims;
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
        List<GangMembership> claims = Conventions.claims(pods);
        if (!claims.isEmpty() && claims.getFirst().problem() != null) {
            throw new IllegalArgumentException(claims.getFirst().problem());
        }
        List<GangMembership> counting = claims.stream()
                .filter(claim -> claim.kind() != GroupKind.POD_GROUP
                        || !NativePodGroup.saysNothing(pods.getFirst(), find(claim, pods, groups), groups))
                .toList();
        return new GangRecognition(
                pods, Conventions.areNaming(counting) ? counting : List.of(), groups, !claims.isEmpty());
    }

    /** Whether any convention names the gang; else it is one pod by itself. */
    public boolean isNamed() {
        return !claims.isEmpty();
    }

    /**
     * How many of the pods must start together, by the first convention that says it. O(pods).
     *
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    public GangSize extent() {
        GangSize first = null;
        for (GangMembership claim : claims) {
            GangSize extent = claim.convention().extent(claim, pods, group(claim), groups);
            if (!(extent instanceof GangSize.Unstated)) {
                return extent instanceof GangSize.Together whole ? withEnded(whole) : extent;
            }
            first = first == null ? extent : first;
        }
        GangSize none = grouped ? new GangSize.Apart() : new GangSize.Together(1);
        return first == null ? none : first;
    }

    /**
     * The same of a gang of which so many pods start together, by a figure that goes before all conventions: some of
     * them may have ended. The Jobs of all pods are asked, whichever convention names the gang. O(pods).
     *
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    public GangSize.Together withEnded(GangSize.Together whole) {
        EndedPods ended = EndedPods.NONE;
        for (GangMembership claim : claims) {
            ended = ended.and(claim.convention().ended(pods, group(claim)));
        }
        List<GroupKey> jobs = pods.stream()
                .filter(pod -> IndexedJob.job(pod) != null)
                .flatMap(pod -> Stream.ofNullable(Owners.of(pod)))
                .distinct()
                .toList();
        for (GenericKubernetesResource job : Owners.found(jobs, groups).toList()) {
            ended = ended.and(JobProgress.ended(whole.size(), job));
        }
        return whole.after(ended);
    }

    /**
     * The longest time that the gang may run, as other projects say it: on its pods, on an object on the way to their
     * root owners, or on one that names the gang.
     *
     * @return seconds, the same on every node; null: neither says it
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    public @Nullable Long timeLimit() {
        List<GenericKubernetesResource> named = claims.stream()
                .flatMap(claim -> Stream.ofNullable(group(claim)))
                .toList();
        return TimeLimit.of(pods, named, groups);
    }

    private @Nullable GenericKubernetesResource group(GangMembership claim) {
        return find(claim, pods, groups);
    }

    private static @Nullable GenericKubernetesResource find(GangMembership claim, List<Pod> pods, GroupObjects groups) {
        return claim.kind() == null
                ? null
                : groups.find(
                        new GroupKey(claim.kind(), pods.getFirst().getMetadata().getNamespace(), claim.group()));
    }
}
