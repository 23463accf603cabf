package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The gang that some pods form by the conventions of other projects, such as JobSet or PodGroup: its name, size, ended
 * members and time limit.
 */
public final class GangRecognition {
    private static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

    private final List<Pod> pods;
    private final List<GangMembership> memberships;
    private final GroupObjects groups;
    private final boolean grouped;

    /**
     * @param memberships the memberships that the pods state, in order of precedence; empty if no convention names a
     *     gang, apart from a PodGroup that the Job controller created for a Job without a policy
     * @param grouped whether the pods state any membership, including such a PodGroup
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
     * @param pods the pods of one gang by {@link Conventions#gangOf}, at least one
     * @throws IllegalArgumentException if it is unclear which gang they mean; the message is a sentence
     */
    public static GangRecognition of(List<Pod> pods, GroupObjects groups) {
        List<GangMembership> memberships = Conventions.memberships(pods);
        List<GangMembership> counting = memberships.stream()
                .filter(membership -> membership.kind() != GroupKind.POD_GROUP
                        || !NativePodGroup.saysNothing(pods.getFirst(), find(membership, pods, groups), groups))
                .toList();
        return new GangRecognition(
                pods, Conventions.areNaming(counting) ? counting : List.of(), groups, !memberships.isEmpty());
    }

    /** Returns whether a convention names the gang. Otherwise it is a single pod. */
    public boolean isNamed() {
        return !memberships.isEmpty();
    }

    /**
     * Returns how many of the pods must start together, by the first convention that states it. O(pods).
     *
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    public GangSize size() {
        GangSize first = null;
        for (GangMembership membership : memberships) {
            GangSize size = membership.convention().size(membership, pods, group(membership), groups);
            if (!(size instanceof GangSize.Unstated)) {
                return size instanceof GangSize.Together together ? withEnded(together) : size;
            }
            first = first == null ? size : first;
        }
        GangSize noSize = grouped ? new GangSize.Apart() : new GangSize.Together(1);
        return first == null ? noSize : first;
    }

    /**
     * Adds the ended members to a gang size that Slotwise's own annotations state, which take precedence over all
     * conventions. Reads the Jobs of all pods, whichever convention names the gang. O(pods).
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
     * Returns the time limit of the gang by other projects' conventions. It is stated on the pods, on one of their
     * direct or indirect owners, or on an object that names the gang.
     *
     * @return seconds, the same on every node; null if none states it
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    public @Nullable Long timeLimit() {
        return TimeLimit.of(pods, named(), groups);
    }

    /**
     * Returns how near each other the pods run by other projects' words.
     *
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    public StatedTopology topology() {
        return StatedTopology.of(pods, named(), groups);
    }

    /** Returns the objects that name the gang, in order of precedence. */
    private List<GenericKubernetesResource> named() {
        return memberships.stream()
                .flatMap(membership -> Stream.ofNullable(group(membership)))
                .toList();
    }

    /**
     * Returns the name of Kueue's LocalQueue from the label of the pods, else of the first pod's nearest owner with it,
     * else of an object that names the gang. There are several if pods disagree, and none without any label.
     */
    public SortedSet<String> localQueues() {
        SortedSet<String> ofPods = new TreeSet<>(localQueues(pods.stream()).toList());
        return !ofPods.isEmpty()
                ? ofPods
                : new TreeSet<>(localQueues(Stream.concat(
                                Owners.found(Owners.above(pods.getFirst(), groups), groups), named().stream()))
                        .limit(1)
                        .toList());
    }

    private static Stream<String> localQueues(Stream<? extends HasMetadata> objects) {
        return objects.flatMap(object -> Stream.ofNullable(AnnotationParsing.label(object, QUEUE_NAME)));
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
