package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.gangs.JobSetWaves;
import io.slotwise.kubernetes.gangs.JobSetWaves.Later;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
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
 * The gangs of a JobSet whose pods its controller makes only when others have ended: see {@link JobSetWaves}. Their
 * pods are named after them when they come. Until then they are planned with the pods that the controller will make,
 * and keep the room of their windows. Nothing starts of them. They are forgotten when the JobSet is suspended, deleted
 * or over.
 */
public final class ComingWaves {
    /** The most gangs of one namespace that are planned before their pods come. */
    public static final int MOST = 50;
    /** The most pods of those, but for the last gang: no quota counts them. */
    public static final int MOST_PODS = 10_000;

    private static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";
    /** What the API server lets every pod tolerate for a while. */
    private static final Set<String> USUAL = Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private final ObjectMapper mapper;
    private final ObjectCache<GenericKubernetesResource, Made> made = new ObjectCache<>();
    private final Predicate<Pod> ours;

    /**
     * Nothing is known yet.
     *
     * @param mapper reads pod templates
     * @param ours whose JobSets count
     */
    public ComingWaves(ObjectMapper mapper, Predicate<Pod> ours) {
        this.mapper = mapper;
        this.ours = ours;
    }

    /**
     * What a controller will make.
     *
     * @param pods of all waves
     * @param groups objects that say how long they may run
     * @param ours the names of the gangs of which Slotwise starts pods
     */
    private record Made(List<Pod> pods, List<GenericKubernetesResource> groups, Set<String> ours) {}

    /** How many gangs of a namespace are planned, and their pods. */
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
     * What is to come.
     *
     * @param gangs the pods of each gang
     * @param groups what says how large the gangs are and how long they may run, beside what is there
     */
    public record Coming(SortedMap<GangId, List<Pod>> gangs, List<GenericKubernetesResource> groups) {
        /** The pods of all gangs. */
        public Stream<Pod> pods() {
            return gangs.values().stream().flatMap(List::stream);
        }
    }

    /**
     * Gives a pod of a later wave the name of its gang. What it was to start after has ended, as it is there.
     *
     * @param before the same pod as it was named before, which counts while its JobSet is not known; null: it was not
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
     * What is to come of the JobSets of these pods. O(pods), and the pods to come of each JobSet that has changed.
     *
     * @param promised the gangs of which a promise is still to start: a JobSet may say that pods of them are there
     *     before these are seen
     */
    public Coming of(List<Pod> pods, GroupObjects groups, Set<GangId> promised) {
        made.turn();
        Map<GroupKey, List<Pod>> sets = new HashMap<>();
        for (Pod pod : pods) {
            GroupKey key = JobSetWaves.setOf(pod);
            if (key != null && ours.test(pod)) {
                sets.computeIfAbsent(key, _ -> new ArrayList<>()).add(pod);
            }
        }
        Coming coming = new Coming(new TreeMap<>(), new ArrayList<>());
        Map<String, Room> left = new HashMap<>();
        sets.keySet().stream()
                .sorted(Comparator.comparing(GroupKey::namespace).thenComparing(GroupKey::name))
                .forEach(key -> {
                    GenericKubernetesResource set = groups.find(key);
                    if (set != null) {
                        // What cannot be read is told of the pods that are there.
                        Isolated.run(
                                () -> add(set, Objects.requireNonNull(sets.get(key)), promised, coming, left), _ -> {});
                    }
                });
        return coming;
    }

    private void add(
            GenericKubernetesResource set,
            List<Pod> there,
            Set<GangId> promised,
            Coming coming,
            Map<String, Room> left) {
        Map<String, Later> later = JobSetWaves.of(set);
        Map<String, String> annotations = set.getMetadata().getAnnotations();
        if (later.isEmpty() || JobSetWaves.isOver(set) || (annotations != null && annotations.containsKey(EXCLUSIVE))) {
            return;
        }
        String namespace = set.getMetadata().getNamespace();
        List<String> begun = JobSetWaves.begun(set);
        Set<String> seen = there.stream()
                .filter(pod -> !Pods.isTerminating(pod))
                .map(pod -> String.valueOf(JobSetWaves.roleOf(pod)))
                .collect(Collectors.toSet());
        Set<String> closed = new HashSet<>();
        later.forEach((role, wave) -> {
            if (seen.contains(role)
                    || (begun.contains(role) && !promised.contains(new GangId(namespace, wave.gang())))) {
                closed.add(wave.gang());
            }
        });
        Room room = left.computeIfAbsent(namespace, _ -> new Room());
        if (room.isFull()) {
            return;
        }
        Made all = made.get(set, one -> make(one, there.getFirst()));
        Map<String, Set<String>> after = new LinkedHashMap<>();
        later.values()
                .forEach(wave ->
                        after.computeIfAbsent(wave.gang(), _ -> new HashSet<>()).addAll(wave.after()));
        // A gang that waits for one that is not known yet, or never is, is itself known when its pods come.
        Set<String> known = new HashSet<>(all.ours);
        after.forEach((gang, others) -> {
            if (!closed.contains(gang) && (others.isEmpty() || !known.containsAll(others))) {
                known.remove(gang);
            }
        });
        known.removeAll(closed);
        Map<GangId, List<Pod>> gangs = new TreeMap<>();
        for (Pod pod : all.pods) {
            Later wave = later.get(String.valueOf(JobSetWaves.roleOf(pod)));
            if (wave != null && !wave.after().isEmpty() && known.contains(wave.gang())) {
                gangs.computeIfAbsent(new GangId(namespace, wave.gang()), _ -> new ArrayList<>())
                        .add(pod);
            }
        }
        gangs.forEach((gang, pods) -> {
            if (!room.isFull()) {
                room.take(pods.size());
                coming.gangs.put(gang, List.copyOf(pods));
                coming.groups.addAll(all.groups);
            }
        });
    }

    private Made make(GenericKubernetesResource set, Pod sibling) {
        ObjectNode object = mapper.valueToTree(set);
        var expansion = WorkloadKinds.expand(set.getMetadata(), object, mapper);
        Map<String, Later> later = JobSetWaves.of(set);
        String stated = expansion.pods().stream()
                .filter(pod -> Objects.equals(JobSetWaves.roleOf(pod), JobSetWaves.roleOf(sibling)))
                .findFirst()
                .orElse(sibling)
                .getSpec()
                .getPriorityClassName();
        expansion.pods().forEach(pod -> {
            pod.getMetadata().setUid("");
            admit(pod.getSpec(), sibling.getSpec(), stated);
            Later wave = later.get(String.valueOf(JobSetWaves.roleOf(pod)));
            if (wave != null) {
                name(pod, wave.gang());
                Map<String, String> said =
                        with(pod.getMetadata().getAnnotations(), AnnotationKeys.AFTER, String.join(",", wave.after()));
                if (!wave.sized()) {
                    // The JobSet tells it.
                    said.remove(AnnotationKeys.GANG_SIZE);
                }
                pod.getMetadata().setAnnotations(said);
            }
        });
        return new Made(
                expansion.pods(),
                expansion.groups().stream()
                        .map(group -> mapper.convertValue(group, GenericKubernetesResource.class))
                        .toList(),
                expansion.pods().stream()
                        .filter(ours)
                        .map(pod -> Pods.gangOf(pod).name())
                        .collect(Collectors.toSet()));
    }

    /**
     * Adds what the API server will add, as it has done with another pod of the JobSet.
     *
     * @param stated the priority class that the template of that pod names; null: none
     */
    private static void admit(PodSpec spec, PodSpec sibling, @Nullable String stated) {
        List<Toleration> all = new ArrayList<>(spec.getTolerations());
        sibling.getTolerations().stream()
                .filter(toleration -> USUAL.contains(toleration.getKey())
                        && all.stream().noneMatch(own -> Objects.equals(own.getKey(), toleration.getKey())))
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
