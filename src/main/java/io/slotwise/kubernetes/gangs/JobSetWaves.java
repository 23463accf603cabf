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
 * The waves of a JobSet whose pods come only when those of other roles have ended ({@code dependsOn} with {@code
 * status: Complete}). Each is a gang of its own, {@code jobset-NAME.ROLE} by its first role where no label of the
 * template names it, and starts after the gangs that it waits for. A role whose template says itself when it starts, by
 * what it is after or a reservation, is only named.
 *
 * <p>Source: kubernetes-sigs/jobset, pkg/controllers/depends_on.go.
 */
public final class JobSetWaves {
    /** Says in which topology each Job of a JobSet or of a role is alone. */
    public static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";

    /** Nodes have labels that say which Job they are for. */
    private static final String NODE_SELECTOR = "alpha.jobset.sigs.k8s.io/node-selector";

    private static final String ROLE = JobSetConvention.ROLE;
    /** What says when a gang starts. */
    private static final Set<String> OWN = Set.of("slotwise.io/after", "slotwise.io/reservation");

    private JobSetWaves() {}

    /**
     * A role of a later wave.
     *
     * @param gang the name of its gang
     * @param after the names of the gangs that this one starts after; none: it joins its gang when that runs, or
     *     says itself when it starts
     */
    public record Later(String gang, List<String> after) {
        public Later {
            after = List.copyOf(after);
        }
    }

    /**
     * The name of the gang of a wave that no label names.
     *
     * @param head the first role of a later wave; null: of the first one
     */
    public static String gang(String set, @Nullable String head) {
        String first = GroupKind.JOB_SET.gang(set);
        return head == null ? first : first + "." + head;
    }

    /**
     * The topology in which each Job is alone, so that its other pods come only when its first one has a node; null:
     * there is none, or nodes have labels that say which Job they are for, and all pods come at once.
     *
     * @param annotations the value of each; null: there is none
     */
    public static @Nullable String exclusive(Function<String, @Nullable String> annotations) {
        return annotations.apply(NODE_SELECTOR) == null ? annotations.apply(EXCLUSIVE) : null;
    }

    /** The JobSet of a pod; null: it is of none. */
    public static @Nullable GroupKey setOf(Pod pod) {
        String name = AnnotationParsing.label(pod, JobSetConvention.NAME);
        return name == null
                ? null
                : new GroupKey(GroupKind.JOB_SET, pod.getMetadata().getNamespace(), name);
    }

    /** The role of a pod of a JobSet; null: it does not say. */
    public static @Nullable String roleOf(Pod pod) {
        return AnnotationParsing.label(pod, ROLE);
    }

    /**
     * The roles of later waves, and those that join these, by name, in the order of the JobSet; none: all pods are
     * made at once, or cannot be told.
     */
    public static Map<String, Later> of(GenericKubernetesResource set) {
        try {
            return read(set);
        } catch (IllegalArgumentException e) {
            // The gangs are refused with these words.
            return Map.of();
        }
    }

    private static Map<String, Later> read(GenericKubernetesResource set) {
        Map<String, String> gangs = new HashMap<>();
        Map<Object, String> heads = new HashMap<>();
        Map<String, Later> later = new LinkedHashMap<>();
        for (Map<?, ?> jobs : AnnotationParsing.items(set, AnnotationParsing.spec(set), "replicatedJobs")) {
            String name = String.valueOf(jobs.get("name"));
            List<Map<?, ?>> dependencies = AnnotationParsing.items(set, jobs, "dependsOn");
            List<String> ended = dependencies.stream()
                    .filter(other -> "Complete".equals(other.get("status")))
                    .map(other -> String.valueOf(other.get("name")))
                    .toList();
            String head = heads.computeIfAbsent(dependencies, _ -> name);
            String own = JobSetConvention.label(set, jobs);
            String joined = dependencies.isEmpty()
                    ? null
                    : gangs.get(String.valueOf(dependencies.getFirst().get("name")));
            String gang = own != null
                    ? own
                    : ended.isEmpty() && joined != null
                            ? joined
                            : gang(set.getMetadata().getName(), ended.isEmpty() ? null : head);
            gangs.put(name, gang);
            Map<?, ?> stated = JobSetConvention.metadata(set, jobs, "annotations");
            boolean isOwn = OWN.stream().anyMatch(stated::containsKey);
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

    /**
     * Whether no more pods of a JobSet come for now: it is suspended, being deleted, or has ended.
     */
    public static boolean isOver(GenericKubernetesResource set) {
        Object ended = set.get("status", "terminalState");
        return Boolean.TRUE.equals(set.get("spec", "suspend"))
                || set.getMetadata().getDeletionTimestamp() != null
                || (ended != null && !ended.toString().isEmpty());
    }

    /** The roles of which Jobs are there, or were, as its status says. */
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
