package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All conventions. The first that a pod follows names its gang. */
public final class Conventions {
    /** Slotwise's own label of a pod: its gang's name. */
    public static final String OWN_LABEL = "slotwise.io/gang";

    /**
     * The size of Slotwise's own label is an annotation that precedes every convention's number.
     *
     * <p>Sources of the other labels: kubernetes-sigs/scheduler-plugins, apis/scheduling/v1alpha1;
     * kubernetes-sigs/kueue, pkg/controller/jobs/pod/constants.
     */
    private static final List<Convention> ORDER = List.of(
            new LabelledGang(OWN_LABEL, null, null),
            new NativePodGroup(),
            new LabelledGang("scheduling.x-k8s.io/pod-group", null, GroupKind.COSCHEDULING),
            new VolcanoConvention(),
            new LabelledGang("kueue.x-k8s.io/pod-group-name", "kueue.x-k8s.io/pod-group-total-count", null),
            new YuniKornConvention(),
            new KoordinatorConvention(),
            new LabelledGang("pod-group.scheduling.sigs.k8s.io", null, GroupKind.KOORDINATOR),
            new JobSetConvention(),
            new LeaderWorkerSetConvention(),
            new KubeflowConvention(),
            new RayConvention(),
            new IndexedJob());

    /** The conventions that name no gang, but state the size of a gang that another convention names. */
    private static final List<Convention> SIZES = List.of(new PlainJob());

    private Conventions() {}

    /**
     * Returns the name of a pod's gang, {@code pod-NAME} if no convention names one. Depends on the pod alone. O(1).
     */
    public static String gangOf(Pod pod) {
        GangMembership membership = naming(pod);
        return membership == null ? ownGang(pod) : membership.gang();
    }

    /**
     * Returns the statement by which a pod belongs to its gang, such as {@code `slotwise.io/gang` (g)}; null if no
     * convention names the gang. O(1).
     */
    public static @Nullable String rule(Pod pod) {
        GangMembership membership = naming(pod);
        return membership == null || membership.words().isEmpty() ? null : membership.words();
    }

    /** The first claim; a PodGroup that the Job controller made gives its name only if there is no other. */
    private static @Nullable GangMembership naming(Pod pod) {
        GangMembership madeMembership = null;
        for (Convention convention : ORDER) {
            GangMembership membership = convention.membership(pod);
            if (membership != null
                    && membership.kind() == GroupKind.POD_GROUP
                    && NativePodGroup.isMadeForJob(pod, membership.group())) {
                madeMembership = membership;
            } else if (membership != null) {
                return membership;
            }
        }
        return madeMembership;
    }

    /** Returns the name of a pod's individual gang. */
    public static String ownGang(Pod pod) {
        return "pod-" + pod.getMetadata().getName();
    }

    /** Returns the objects that a pod's conventions name, and those on the way to its root owner. O(their number). */
    public static List<GroupKey> groups(Pod pod, GroupObjects objects) {
        String namespace = pod.getMetadata().getNamespace();
        Stream<GroupKey> named = memberships(pod)
                .flatMap(membership -> membership.kind() == null
                        ? Stream.empty()
                        : Stream.of(new GroupKey(membership.kind(), namespace, membership.group())));
        return Stream.concat(named, Owners.above(pod, objects).stream())
                .distinct()
                .toList();
    }

    /** Returns whether the gang cannot start without this pod, even if it may start without others. */
    public static boolean isLeader(Pod pod) {
        return ORDER.stream().anyMatch(convention -> convention.isLeader(pod));
    }

    /**
     * Returns the membership that names a gang, and the later ones on which its pods agree, in order of precedence.
     * Empty if no convention names the gang.
     *
     * @param pods the pods of one gang by {@link #gangOf}, at least one
     * @throws IllegalArgumentException if the name cannot be read, or two pods mean different things by it
     */
    static List<GangMembership> memberships(List<Pod> pods) {
        GangMembership firstMembership = naming(pods.getFirst());
        if (firstMembership == null) {
            return List.of();
        }
        if (firstMembership.problem() != null) {
            throw new IllegalArgumentException(firstMembership.problem());
        }
        for (Pod pod : pods) {
            GangMembership membership = Optional.ofNullable(naming(pod)).orElseThrow();
            if (!membership.agrees(firstMembership)) {
                throw new IllegalArgumentException(
                        "%s and %s name one gang (%s) in two ways, by %s and by %s: expected one"
                                .formatted(
                                        AnnotationParsing.name(pods.getFirst()),
                                        AnnotationParsing.name(pod),
                                        membership.gang(),
                                        firstMembership.words(),
                                        membership.words()));
            }
        }
        return memberships(pods.getFirst())
                .filter(membership -> pods.stream().allMatch(pod -> hasOneLike(pod, membership)))
                .toList();
    }

    static boolean areNaming(List<GangMembership> memberships) {
        return memberships.stream().anyMatch(membership -> !SIZES.contains(membership.convention()));
    }

    private static boolean hasOneLike(Pod pod, GangMembership membership) {
        GangMembership other = membership.convention().membership(pod);
        return other != null && other.agrees(membership);
    }

    private static Stream<GangMembership> memberships(Pod pod) {
        List<GangMembership> naming = memberships(ORDER, pod).toList();
        return naming.isEmpty() ? Stream.empty() : Stream.concat(naming.stream(), memberships(SIZES, pod));
    }

    private static Stream<GangMembership> memberships(List<Convention> conventions, Pod pod) {
        return conventions.stream()
                .<@Nullable GangMembership>map(convention -> convention.membership(pod))
                .filter(Objects::nonNull);
    }
}
