package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The waves of a JobSet whose pods are created only when those of other roles have ended ({@code dependsOn} with {@code
 * status: Complete}). Each is a gang of its own that starts after the gangs it depends on. Its name is {@code
 * jobset-NAME.ROLE} by its first role, unless a label of the template names it. A role whose template states its start
 * itself, by predecessors or an advance reservation, only gets a name.
 *
 * <p>Source: kubernetes-sigs/jobset, pkg/controllers/depends_on.go.
 */
public final class JobSetWaves {
    /** Annotation of a JobSet or a role: topology that each of its Jobs has exclusively. */
    public static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";

    /** Annotation of a JobSet or a role: nodes have labels for their Job. */
    private static final String NODE_SELECTOR = "alpha.jobset.sigs.k8s.io/node-selector";

    private static final String ROLE = JobSetConvention.ROLE;
    /** The annotations that tell when a gang may start. */
    private static final Set<String> OWN = Set.of("slotwise.io/after", "slotwise.io/reservation");

    private JobSetWaves() {}

    /**
     * A role of a later wave.
     *
     * @param gang the name of its gang
     * @param after the gangs that its gang starts after; empty if it joins a running gang, or states its start itself
     */
    public record Later(String gang, List<String> after) {
        public Later {
            after = List.copyOf(after);
        }
    }

    /**
     * Returns the name of a wave's gang without a label.
     *
     * @param head the first role of a later wave; null for the first wave
     */
    public static String gang(String set, @Nullable String head) {
        String first = GroupKind.JOB_SET.gang(set);
        return head == null ? first : first + "." + head;
    }

    /**
     * Returns the topology that each Job has exclusively, so that its other pods are created only when its first one
     * has a node. Null without one, or if nodes have labels for their Job, so that all pods are created at once.
     *
     * @param annotations returns the value of an annotation, or null
     */
    public static @Nullable String exclusive(Function<String, @Nullable String> annotations) {
        return annotations.apply(NODE_SELECTOR) == null ? annotations.apply(EXCLUSIVE) : null;
    }

    public static @Nullable GroupKey setOf(Pod pod) {
        String name = AnnotationParsing.label(pod, JobSetConvention.NAME);
        return name == null
                ? null
                : new GroupKey(GroupKind.JOB_SET, pod.getMetadata().getNamespace(), name);
    }

    public static @Nullable String roleOf(Pod pod) {
        return AnnotationParsing.label(pod, ROLE);
    }

    /**
     * Returns the roles of later waves, and those that join these, by name, in the order of the JobSet. Empty if all
     * pods are created at once, or if the roles cannot be read.
     */
    public static Map<String, Later> of(GenericKubernetesResource set) {
        try {
            return read(set);
        } catch (IllegalArgumentException e) {
            // The gangs are refused with this message.
            return Map.of();
        }
    }

    private static Map<String, Later> read(GenericKubernetesResource set) {
        Map<String, String> gangs = new HashMap<>();
        Map<Object, String> heads = new HashMap<>();
        Map<String, Later> later = new LinkedHashMap<>();
        for (ObjectPart jobsPart : ObjectPart.spec(set).items("replicatedJobs")) {
            String name = String.valueOf(jobsPart.get("name"));
            List<Map<?, ?>> dependencies = JobSetConvention.dependencies(jobsPart);
            List<String> ended = dependencies.stream()
                    .filter(other -> "Complete".equals(other.get("status")))
                    .map(other -> String.valueOf(other.get("name")))
                    .toList();
            String head = heads.computeIfAbsent(dependencies, _ -> name);
            String own = JobSetConvention.label(jobsPart);
            String joined = dependencies.isEmpty()
                    ? null
                    : gangs.get(String.valueOf(dependencies.getFirst().get("name")));
            String gang = own != null
                    ? own
                    : ended.isEmpty() && joined != null
                            ? joined
                            : gang(set.getMetadata().getName(), ended.isEmpty() ? null : head);
            gangs.put(name, gang);
            ObjectPart statedPart = JobSetConvention.metadata(jobsPart, "annotations");
            boolean isOwn = OWN.stream().anyMatch(statedPart.fields()::containsKey);
            List<String> after = isOwn
                    ? List.of()
                    : ended.stream()
                            .<@Nullable String>map(gangs::get)
                            .filter(Objects::nonNull)
                            .filter(other -> !other.equals(gang))
                            .distinct()
                            .collect(Collectors.toList());
            if (!after.isEmpty()
                    || (isOwn && !ended.isEmpty())
                    || later.values().stream().anyMatch(other -> other.gang.equals(gang))) {
                later.put(name, new Later(gang, after));
            }
        }
        return later;
    }

    /** Returns whether a JobSet creates no more pods for now: it is suspended, being deleted, or has ended. */
    public static boolean isOver(GenericKubernetesResource set) {
        Object ended = set.get("status", "terminalState");
        return Boolean.TRUE.equals(set.get("spec", "suspend"))
                || set.getMetadata().getDeletionTimestamp() != null
                || (ended != null && !ended.toString().isEmpty());
    }

    /** Returns the roles with present or past Jobs by its status. */
    public static List<String> begun(GenericKubernetesResource set) {
        return set.get("status", "replicatedJobsStatus") instanceof List<?> roles
                ? roles.stream()
                        .filter(role -> role instanceof Map<?, ?> counts && isBegun(counts))
                        .map(role -> String.valueOf(((Map<?, ?>) role).get("name")))
                        .toList()
                : List.of();
    }

    private static boolean isBegun(Map<?, ?> counts) {
        return List.of("active", "ready", "succeeded", "failed", "suspended").stream()
                .anyMatch(state -> counts.get(state) instanceof Number count && count.longValue() > 0);
    }
}
