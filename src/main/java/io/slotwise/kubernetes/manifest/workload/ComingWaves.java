package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.gangs.JobSetWaves;
import io.slotwise.kubernetes.gangs.JobSetWaves.Later;
import io.slotwise.kubernetes.gangs.LatePods;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.pods.ObjectCache;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods that controllers will create: those of JobSet gangs that start after others have ended (see {@link
 * JobSetWaves}), and those of a gang that are created once its other pods are ready (see {@link LatePods}). Until then
 * they are planned in the form that the controller will create, and keep the room of their windows, but never start.
 * They are dropped when their object is suspended, deleted or over.
 */
public final class ComingWaves {
    /** The most gangs of one namespace that are planned before their pods exist. */
    public static final int MOST = 50;
    /** The limit of pods in these gangs, which the last gang may exceed. No quota counts these pods. */
    public static final int MOST_PODS = 10_000;

    /** The tolerations that the API server adds to every pod for a while. */
    private static final Set<String> USUAL = Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    /** The keys that identify the run of a pod, for a JobSet and a Volcano job. */
    private static final List<String> RUN = List.of(
            "jobset.sigs.k8s.io/jobset-uid",
            "jobset.sigs.k8s.io/restart-attempt",
            "scheduling.k8s.io/group-name",
            "volcano.sh/job-version");

    private final ObjectMapper mapper;
    private final ObjectCache<GenericKubernetesResource, Made> madeCache = new ObjectCache<>();
    private final Predicate<Pod> ours;

    /**
     * @param mapper reads pod templates
     * @param ours selects the pods whose objects count
     */
    public ComingWaves(ObjectMapper mapper, Predicate<Pod> ours) {
        this.mapper = mapper;
        this.ours = ours;
    }

    /**
     * The pods that a controller will create.
     *
     * @param late the names of pods that are created once others are ready
     * @param groups objects that state time limits
     * @param ours the names of the gangs whose pods Slotwise starts
     */
    private record Made(List<Pod> pods, Set<String> late, List<GenericKubernetesResource> groups, Set<String> ours) {}

    /** The planned gangs of a namespace and their pods. */
    private static final class Room {
        private int gangs;
        private int pods;

        boolean isFull() {
            return gangs >= MOST || pods >= MOST_PODS;
        }

        void take(int more) {
            gangs++;
            pods += more;
        }
    }

    /**
     * The pods to come.
     *
     * @param late those whose gangs have existing pods, as namespace/name
     * @param groups the additional objects that state gang sizes and time limits
     * @param warnings warnings for the owners of objects that are not fully planned ahead
     */
    public record Coming(
            SortedMap<GangId, List<Pod>> gangs,
            Set<String> late,
            List<GenericKubernetesResource> groups,
            List<IntakeWarning> warnings) {
        public void forget(Set<GangId> over) {
            gangs.keySet().removeAll(over);
            late.retainAll(pods().map(Pods::name).collect(Collectors.toSet()));
        }

        public Stream<Pod> pods() {
            return gangs.values().stream().flatMap(List::stream);
        }
    }

    /**
     * Labels a pod of a later wave with the name of its gang. Its predecessors have ended, because the pod exists.
     *
     * @param before the same pod with its earlier label, which counts while its JobSet is unknown, or null
     */
    public static void name(Pod pod, GroupObjects groups, @Nullable Pod before) {
        GroupKey key = JobSetWaves.setOf(pod);
        GenericKubernetesResource set = key == null ? null : groups.find(key);
        Later later = set == null ? null : JobSetWaves.of(set).get(String.valueOf(JobSetWaves.roleOf(pod)));
        String known = key == null || set != null || before == null || Pods.label(pod, AnnotationKeys.GANG) != null
                ? null
                : Pods.label(before, AnnotationKeys.GANG);
        if (later != null) {
            name(pod, later.gang());
        } else if (known != null) {
            name(pod, known);
        }
    }

    private static void name(Pod pod, String gang) {
        pod.getMetadata().setLabels(with(pod.getMetadata().getLabels(), AnnotationKeys.GANG, gang));
    }

    private static Map<String, String> with(@Nullable Map<String, String> texts, String key, String value) {
        Map<String, String> all = texts == null ? new HashMap<>() : new HashMap<>(texts);
        all.put(key, value);
        return all;
    }

    /**
     * Returns the pods to come with these pods. O(pods), plus the pods to come of each changed object.
     *
     * @param promised the gangs whose promise is still to start: a JobSet may report pods of theirs before these are
     *     seen
     */
    public Coming of(List<Pod> pods, GroupObjects groups, Set<GangId> promised) {
        madeCache.turn();
        Map<GroupKey, List<Pod>> makers = new HashMap<>();
        for (Pod pod : pods) {
            GroupKey key = LatePods.maker(pod);
            if (key != null && ours.test(pod)) {
                makers.computeIfAbsent(key, _ -> new ArrayList<>()).add(pod);
            }
        }
        Coming coming = new Coming(new TreeMap<>(), new HashSet<>(), new ArrayList<>(), new ArrayList<>());
        Map<String, Room> left = new HashMap<>();
        makers.keySet().stream()
                .sorted(Comparator.comparing(GroupKey::namespace)
                        .thenComparing(GroupKey::name)
                        .thenComparing(GroupKey::kind))
                .forEach(key -> {
                    GenericKubernetesResource maker = groups.find(key);
                    if (maker != null && LatePods.areIn(maker)) {
                        // Errors are reported for the existing pods.
                        Isolated.run(
                                () -> add(maker, Objects.requireNonNull(makers.get(key)), promised, coming, left),
                                _ -> {});
                    }
                });
        return coming;
    }

    private void add(
            GenericKubernetesResource maker,
            List<Pod> existing,
            Set<GangId> promised,
            Coming coming,
            Map<String, Room> left) {
        Room room = left.computeIfAbsent(maker.getMetadata().getNamespace(), _ -> new Room());
        if (JobSetWaves.isOver(maker)) {
            return;
        }
        if (room.isFull()) {
            coming.warnings.add(beyond(maker));
            return;
        }
        List<Pod> inOrder = existing.stream().sorted(Pods.BY_ARRIVAL).toList();
        Pod last = inOrder.getLast();
        Made made = madeCache.get(maker, one -> make(one, last));
        if (!made.pods.isEmpty() && !isOfRun(made.pods.getFirst(), last)) {
            made.pods.forEach(pod -> follow(pod, last));
        }
        Set<String> next = next(maker, existing, promised, made);
        Map<GangId, List<Pod>> live = inOrder.stream()
                .filter(pod -> !Pods.isTerminating(pod) && !Pods.isTerminal(pod))
                .collect(Collectors.groupingBy(Pods::gangOf));
        Set<String> taken = LatePods.taken(made.late, inOrder).keySet();
        Set<String> chained = JobSetWaves.of(maker).values().stream()
                .filter(laterWave -> !laterWave.after().isEmpty())
                .map(Later::gang)
                .collect(Collectors.toSet());
        Map<GangId, List<Pod>> gangs = new TreeMap<>();
        for (Pod pod : made.pods) {
            GangId gang = Pods.gangOf(pod);
            String name = pod.getMetadata().getName();
            boolean late = made.late.contains(name)
                    && !taken.contains(name)
                    && ours.test(pod)
                    && isWith(live.getOrDefault(gang, List.of()), pod);
            if (late && chained.contains(gang.name())) {
                // The gang's predecessors have ended, because other pods of it exist.
                pod.getMetadata().getAnnotations().remove(AnnotationKeys.AFTER);
            }
            if (late || next.contains(gang.name())) {
                gangs.computeIfAbsent(gang, _ -> new ArrayList<>()).add(pod);
            }
        }
        int most = room.gangs + gangs.size();
        gangs.forEach((gang, pods) -> {
            if (!room.isFull()) {
                room.take(pods.size());
                coming.gangs.put(gang, List.copyOf(pods));
                coming.groups.addAll(made.groups);
                if (live.containsKey(gang)) {
                    pods.forEach(pod -> coming.late.add(Pods.name(pod)));
                }
            }
        });
        if (room.gangs < most) {
            coming.warnings.add(beyond(maker));
        }
    }

    private static IntakeWarning beyond(GenericKubernetesResource maker) {
        ObjectMeta metadata = maker.getMetadata();
        return IntakeWarning.of(
                IntakeWarning.Reason.NOT_AHEAD,
                Subject.of(maker),
                null,
                "as many gangs of namespace %s are to come as are planned ahead (%d, or %d pods)"
                        .formatted(metadata.getNamespace(), MOST, MOST_PODS),
                "not all pods of %s %s that come later are planned before they come"
                        .formatted(maker.getKind(), metadata.getName()));
    }

    /**
     * Returns whether a late pod is planned with the existing pods of its gang: these include it in their size, and
     * they run or have other roles. Before the gang has started, a role with existing pods has no late pods.
     */
    private static boolean isWith(List<Pod> others, Pod latePod) {
        return others.stream()
                        .anyMatch(pod -> Objects.equals(
                                Annotations.find(pod, AnnotationKeys.GANG_SIZE),
                                Annotations.find(latePod, AnnotationKeys.GANG_SIZE)))
                && (others.stream().anyMatch(pod -> Pods.node(pod) != null)
                        || others.stream().noneMatch(pod -> LatePods.areOfOneRole(pod, latePod)));
    }

    /** Returns the gangs of a JobSet that start after others have ended and of which no pod exists. */
    private static Set<String> next(
            GenericKubernetesResource set, List<Pod> existing, Set<GangId> promised, Made made) {
        Map<String, Later> later = JobSetWaves.of(set);
        String namespace = set.getMetadata().getNamespace();
        List<String> begun = JobSetWaves.begun(set);
        Set<String> seen = existing.stream()
                .filter(pod -> !Pods.isTerminating(pod))
                .map(pod -> String.valueOf(JobSetWaves.roleOf(pod)))
                .collect(Collectors.toSet());
        Set<String> closed = new HashSet<>();
        Map<String, Set<String>> after = new LinkedHashMap<>();
        later.forEach((role, laterWave) -> {
            after.computeIfAbsent(laterWave.gang(), _ -> new HashSet<>()).addAll(laterWave.after());
            if (seen.contains(role)
                    || (begun.contains(role) && !promised.contains(new GangId(namespace, laterWave.gang())))) {
                closed.add(laterWave.gang());
            }
        });
        // A gang with an unknown predecessor is planned only once its own pods exist.
        Set<String> known = new HashSet<>(made.ours);
        after.forEach((gang, others) -> {
            if (!closed.contains(gang) && (others.isEmpty() || !known.containsAll(others))) {
                known.remove(gang);
            }
        });
        known.retainAll(after.keySet());
        known.removeAll(closed);
        return known;
    }

    private static boolean isOfRun(Pod pod, Pod siblingPod) {
        return RUN.stream()
                .allMatch(key -> (Pods.label(siblingPod, key) == null
                                || Objects.equals(Pods.label(pod, key), Pods.label(siblingPod, key)))
                        && (Annotations.find(siblingPod, key) == null
                                || Objects.equals(Annotations.find(pod, key), Annotations.find(siblingPod, key))));
    }

    private static void follow(Pod pod, Pod siblingPod) {
        ObjectMeta metadata = pod.getMetadata();
        for (String key : RUN) {
            String value = Pods.label(siblingPod, key);
            String annotation = Annotations.find(siblingPod, key);
            if (value != null) {
                metadata.getLabels().put(key, value);
            }
            if (annotation != null) {
                metadata.getAnnotations().put(key, annotation);
            }
        }
        List<OwnerReference> owners = siblingPod.getMetadata().getOwnerReferences();
        if (owners.size() == 1
                && metadata.getOwnerReferences()
                        .getFirst()
                        .getKind()
                        .equals(owners.getFirst().getKind())
                && metadata.getOwnerReferences()
                        .getFirst()
                        .getName()
                        .equals(owners.getFirst().getName())) {
            metadata.setOwnerReferences(owners);
        }
    }

    private Made make(GenericKubernetesResource maker, Pod siblingPod) {
        ObjectNode object = mapper.valueToTree(maker);
        var expansion = WorkloadKinds.expand(maker.getMetadata(), object, mapper, NamedObjects.NONE);
        if (expansion.pods().stream()
                .anyMatch(pod -> JobSetWaves.exclusive(key -> Annotations.find(pod, key)) != null)) {
            return new Made(List.of(), Set.of(), List.of(), Set.of());
        }
        Map<String, Later> later = JobSetWaves.of(maker);
        String stated = expansion.pods().stream()
                .filter(pod -> Objects.equals(JobSetWaves.roleOf(pod), JobSetWaves.roleOf(siblingPod)))
                .findFirst()
                .orElse(siblingPod)
                .getSpec()
                .getPriorityClassName();
        expansion.pods().forEach(pod -> {
            pod.getMetadata().setUid("");
            admit(pod.getSpec(), siblingPod.getSpec(), stated);
            Later laterWave = later.get(String.valueOf(JobSetWaves.roleOf(pod)));
            if (laterWave != null) {
                name(pod, laterWave.gang());
            }
        });
        return new Made(
                expansion.pods(),
                expansion.late(),
                expansion.groups().stream()
                        .map(group -> mapper.convertValue(group, GenericKubernetesResource.class))
                        .toList(),
                expansion.pods().stream()
                        .filter(ours)
                        .map(pod -> Pods.gangOf(pod).name())
                        .collect(Collectors.toSet()));
    }

    /**
     * Adds what the API server will add, as it did to another pod of the JobSet.
     *
     * @param stated the priority class in the template of that pod, or null
     */
    private static void admit(PodSpec spec, PodSpec sibling, @Nullable String stated) {
        List<Toleration> all = new ArrayList<>(spec.getTolerations());
        sibling.getTolerations().stream()
                .filter(toleration -> USUAL.contains(toleration.getKey())
                        && all.stream()
                                .noneMatch(
                                        ownToleration -> Objects.equals(ownToleration.getKey(), toleration.getKey())))
                .toList()
                .forEach(all::add);
        spec.setTolerations(all);
        String own = spec.getPriorityClassName();
        if (own == null ? stated == null : own.equals(sibling.getPriorityClassName())) {
            spec.setPriority(sibling.getPriority());
            spec.setPreemptionPolicy(sibling.getPreemptionPolicy());
        }
    }
}
