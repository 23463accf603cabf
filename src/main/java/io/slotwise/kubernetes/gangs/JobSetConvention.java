package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a JobSet that its controller creates at once: the sum of replicas times parallelism. Where roles depend
 * on others ({@code dependsOn}, or the startup policy {@code InOrder}), roles with the same dependencies are a wave,
 * and each wave is a gang of its own. If templates of the wave
 * name different gangs by label, each role counts for the gang that its template names. If a pod has a label that no
 * template of its wave has, its gang is the whole wave.
 *
 * <p>Source: kubernetes-sigs/jobset, api/jobset/v1alpha2.
 */
final class JobSetConvention implements Convention {
    static final String NAME = "jobset.sigs.k8s.io/jobset-name";
    static final String ROLE = "jobset.sigs.k8s.io/replicatedjob-name";

    /**
     * The Jobs of one role.
     *
     * @param wave the role's dependencies, which all roles of one wave share
     * @param gang the gang that a label of the pod template names, or null
     * @param replicas the number of Jobs
     * @param atOnce the number of parallel pods of each Job
     */
    private record Role(String name, Object wave, @Nullable String gang, long replicas, long atOnce) {
        long pods() {
            return AnnotationParsing.plus(0, replicas, atOnce);
        }

        boolean isOf(Pod pod) {
            return name.equals(AnnotationParsing.label(pod, ROLE));
        }
    }

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String name = AnnotationParsing.label(pod, NAME);
        return name == null ? null : GangMembership.owner(this, NAME, name, GroupKind.JOB_SET);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (group == null) {
            return new GangSize.Missing(GroupKind.JOB_SET, membership.group());
        }
        List<Role> wave = wave(pods, roles(group));
        String gang = AnnotationParsing.label(pods.getFirst(), Conventions.OWN_LABEL);
        boolean isOfTemplate = wave.stream().anyMatch(role -> Objects.equals(role.gang, gang));
        List<Role> members = wave.stream()
                .filter(role -> !isOfTemplate || Objects.equals(role.gang, gang))
                .toList();
        GangSize.Together together = AnnotationParsing.together(
                group,
                members.stream().mapToLong(Role::pods).reduce(0, (sum, more) -> AnnotationParsing.plus(sum, 1, more)));
        Optional<Pod> first = pods.stream()
                .filter(pod -> JobSetWaves.exclusive(key -> AnnotationParsing.annotation(pod, key)) != null)
                .filter(pod -> members.stream().anyMatch(role -> role.atOnce > 1 && role.isOf(pod)))
                .findFirst();
        if (first.isPresent() && pods.size() < together.size()) {
            throw AnnotationParsing.waitsForItself(
                    JobSetWaves.EXCLUSIVE,
                    first.get(),
                    "the other pods of each Job come only when its first one has a node");
        }
        return together;
    }

    /** Returns the roles of other waves, because their pods belong to other gangs. */
    @Override
    public EndedPods ended(List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (group == null) {
            return EndedPods.NONE;
        }
        List<Role> roles = roles(group);
        List<Role> wave = wave(pods, roles);
        return new EndedPods(
                Map.of(),
                roles.stream()
                        .filter(role -> !wave.contains(role))
                        .map(Role::name)
                        .collect(Collectors.toSet()));
    }

    /** Returns the roles of the waves to which pods belong; of the first wave if no role of the pods is known. */
    private static List<Role> wave(List<Pod> pods, List<Role> roles) {
        Set<String> present = new HashSet<>();
        pods.forEach(pod -> present.add(String.valueOf(AnnotationParsing.label(pod, ROLE))));
        Set<Object> waves = new HashSet<>();
        roles.stream().filter(role -> present.contains(role.name)).forEach(role -> waves.add(role.wave));
        if (waves.isEmpty()) {
            roles.stream().limit(1).forEach(role -> waves.add(role.wave));
        }
        return roles.stream().filter(role -> waves.contains(role.wave)).toList();
    }

    private static List<Role> roles(GenericKubernetesResource set) {
        ObjectPart specPart = ObjectPart.spec(set);
        boolean inOrder = isInOrder(specPart);
        List<Role> roles = new ArrayList<>();
        for (ObjectPart jobsPart : specPart.items("replicatedJobs")) {
            roles.add(new Role(
                    String.valueOf(jobsPart.get("name")),
                    inOrder ? roles.size() : dependencies(jobsPart),
                    label(jobsPart),
                    jobsPart.count("replicas", 1),
                    IndexedJob.atOnce(jobsPart.at("template").at("spec"))));
        }
        return roles;
    }

    /** Returns whether each role starts when the previous one is ready. */
    static boolean isInOrder(ObjectPart specPart) {
        return "InOrder".equals(specPart.at("startupPolicy").get("startupPolicyOrder"));
    }

    /** Returns the roles that a role depends on, each with the status that it waits for. */
    static List<Map<?, ?>> dependencies(ObjectPart jobsPart) {
        return jobsPart.items("dependsOn").stream()
                .<Map<?, ?>>map(ObjectPart::fields)
                .toList();
    }

    /** Returns Slotwise's label in the pod template of a role, or null. */
    static @Nullable String label(ObjectPart jobsPart) {
        Object gang = metadata(jobsPart, "labels").get(Conventions.OWN_LABEL);
        return gang == null || String.valueOf(gang).isBlank()
                ? null
                : String.valueOf(gang).strip();
    }

    static ObjectPart metadata(ObjectPart jobsPart, String field) {
        return jobsPart.at("template").at("spec").at("template").at("metadata").at(field);
    }
}
