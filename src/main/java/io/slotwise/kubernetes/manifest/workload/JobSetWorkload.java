package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.slotwise.kubernetes.gangs.JobSetWaves;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A JobSet: the Jobs NAME-ROLE-0 and so on of each role. With exclusive topology only the first pod of each Job is
 * created at once; the others wait until it has a node.
 *
 * <p>Where roles depend on others, the roles with the same dependencies are a wave. A wave that waits only until other
 * roles are ready runs at the same time as these. It belongs to their gang, which has the room for all its pods from
 * its start. A wave that waits for the end of other roles ({@code dependsOn} with {@code status: Complete}) is a gang
 * of its own, which starts after theirs. {@link JobSetWaves} defines the names of the gangs. The controller creates the
 * pods of a wave only when its dependencies are met. In a cluster, a wave that waits for the end of others is planned
 * with the pods that this class makes, before its own pods exist.
 *
 * <p>Source: kubernetes-sigs/jobset, pkg/controllers/jobset_controller.go and pkg/webhooks.
 */
final class JobSetWorkload implements WorkloadKind {
    private static final String PREFIX = "jobset.sigs.k8s.io/";
    private static final String GANG = AnnotationKeys.GANG;
    private static final String AFTER = AnnotationKeys.AFTER;

    /**
     * A role of a JobSet in which roles depend on others.
     *
     * @param gang the gang of the role's wave
     * @param late whether its pods are created only when other pods of the gang are ready
     */
    private record Member(ObjectFields fields, String gang, boolean late) {}

    /**
     * Returns the roles of a JobSet by name, if some depend on others. Empty if all pods are created at once.
     *
     * <p>A role that waits for others to be ready joins the gang of the first of them; in order, that of the JobSet's
     * first role. Any other role begins a wave, or joins the wave with the same dependencies. A gang has the name of
     * the first role of its wave, unless a label of the template names the gang.
     */
    private static Map<String, Member> waves(WrittenObject object) {
        List<ObjectFields> roles = object.spec().items("replicatedJobs");
        boolean inOrder = "InOrder".equals(object.spec().at("startupPolicy").text("startupPolicyOrder"));
        Map<String, Member> waves = new LinkedHashMap<>();
        if (!inOrder && roles.stream().noneMatch(roleFields -> roleFields.has("dependsOn"))) {
            return waves;
        }
        Map<Set<String>, String> firstRoles = new HashMap<>();
        Map<String, String> firstRoleOf = new HashMap<>();
        for (ObjectFields roleFields : roles) {
            String name = roleFields.required("name", "the name of the replicated Job");
            List<ObjectFields> others = roleFields.items("dependsOn");
            String joined = inOrder && !firstRoleOf.isEmpty()
                    ? roles.getFirst().text("name")
                    : others.isEmpty() || others.stream().anyMatch(JobSetWorkload::waitsForEnd)
                            ? null
                            : others.getFirst().text("name");
            Set<String> awaited = others.stream()
                    .map(other -> other.text("name") + " " + other.text("status"))
                    .collect(Collectors.toSet());
            String firstRole = joined != null && firstRoleOf.containsKey(joined)
                    ? firstRoleOf.get(joined)
                    : firstRoles.computeIfAbsent(awaited, _ -> name);
            firstRoleOf.put(name, Objects.requireNonNull(firstRole));
            String label = template(roleFields).at("labels").text(GANG);
            waves.put(
                    name,
                    new Member(
                            roleFields,
                            label == null
                                    ? JobSetWaves.gang(
                                            object.name(), startsAfterOthers(roles, firstRole) ? firstRole : null)
                                    : label,
                            joined != null));
        }
        return waves;
    }

    private static boolean startsAfterOthers(List<ObjectFields> roles, String name) {
        return roles.stream()
                .filter(roleFields -> name.equals(roleFields.text("name")))
                .flatMap(roleFields -> roleFields.items("dependsOn").stream())
                .anyMatch(JobSetWorkload::waitsForEnd);
    }

    private static boolean waitsForEnd(ObjectFields dependencyFields) {
        return "Complete".equals(dependencyFields.text("status"));
    }

    /** Returns the annotation that lets a gang start after others; empty without these, or if its pods state it. */
    private static Map<String, String> after(Map<String, Member> waves, Member member) {
        ObjectFields annotationFields = template(member.fields).at("annotations");
        String predecessors = waves.values().stream()
                .filter(other -> other.gang.equals(member.gang))
                .flatMap(other -> other.fields.items("dependsOn").stream())
                .filter(JobSetWorkload::waitsForEnd)
                .<@Nullable Member>map(other -> waves.get(String.valueOf(other.text("name"))))
                .filter(Objects::nonNull)
                .map(Member::gang)
                .filter(other -> !other.equals(member.gang))
                .distinct()
                .collect(Collectors.joining(","));
        return predecessors.isEmpty() || annotationFields.has(AFTER) || annotationFields.has(AnnotationKeys.RESERVATION)
                ? Map.of()
                : Map.of(AFTER, predecessors);
    }

    private static int atOnce(WrittenObject object, ObjectFields roleFields) {
        int atOnce = KubernetesJob.atOnce(roleFields.at("template").at("spec"));
        return exclusive(object, roleFields) == null ? atOnce : Math.min(1, atOnce);
    }

    /** Returns the topology label in whose domains each Job of a role must be alone, or null. */
    private static @Nullable String exclusive(WrittenObject object, ObjectFields roleFields) {
        ObjectFields annotationFields = roleFields.at("template").at("metadata").at("annotations");
        return JobSetWaves.exclusive(key -> annotationFields.has(key)
                ? annotationFields.text(key)
                : object.annotations().get(key));
    }

    private static ObjectFields template(ObjectFields roleFields) {
        return roleFields.at("template").at("spec").at("template").at("metadata");
    }

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("jobset.x-k8s.io") && kind.equals("JobSet");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields setFields = object.spec();
        expansion.suspended(setFields.flag("suspend"));
        Map<String, Member> waves = waves(object);
        for (ObjectFields roleFields : setFields.items("replicatedJobs")) {
            ObjectFields jobFields = roleFields.at("template").at("spec");
            PodTemplateSpec pods = object.template(jobFields, "template");
            int atOnce = atOnce(object, roleFields);
            if (atOnce < KubernetesJob.atOnce(jobFields)) {
                expansion.remark(
                        "with exclusive topology the other pods of each Job come only when its first one has a node");
            }
            String name = roleFields.required("name", "the name of the replicated Job");
            int replicas = roleFields.count("replicas", 1);
            Member member = waves.get(name);
            Map<String, String> chained = member == null ? Map.of() : after(waves, member);
            if (!chained.isEmpty()) {
                expansion.remark("the pods of %s come only when those that it depends on have ended".formatted(name));
            } else if (member != null && member.late) {
                expansion.remark("the pods of %s come only when those before it are ready".formatted(name));
            }
            expansion.late(member != null && member.late);
            // JobSet's webhook makes every Job Indexed that states no mode.
            boolean indexed =
                    !"NonIndexed".equals(Objects.requireNonNullElse(jobFields.text("completionMode"), "Indexed"));
            for (int i = 0; i < replicas; i++) {
                Map<String, String> labels = new HashMap<>(Map.of(
                        PREFIX + "jobset-name", object.name(),
                        PREFIX + "replicatedjob-name", name,
                        PREFIX + "replicatedjob-replicas", String.valueOf(replicas),
                        PREFIX + "job-index", String.valueOf(i),
                        PREFIX + "restart-attempt", "0"));
                Map<String, String> annotations = new HashMap<>(labels);
                if (member != null && !member.gang.equals(JobSetWaves.gang(object.name(), null))) {
                    labels.put(GANG, member.gang);
                }
                annotations.putAll(chained);
                String exclusive = exclusive(object, roleFields);
                if (exclusive != null) {
                    annotations.put(JobSetWaves.EXCLUSIVE, exclusive);
                }
                String jobName = "%s-%s-%d".formatted(object.name(), name, i);
                expansion.job(jobName, roleFields.at("template"));
                KubernetesJob.pods(
                        expansion, new KubernetesJob.Shape(jobName, indexed, labels, annotations), pods, atOnce);
            }
        }
    }
}
