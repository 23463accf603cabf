package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A JobSet: the Jobs NAME-ROLE-0 and so on of each role. With exclusive topology only the first pod of each Job is made
 * at once; the others wait until that one has a node. Where Jobs of one role wait for the end of those of another one
 * ({@code dependsOn} with {@code status: Complete}), each role is a gang of its own, NAME-ROLE unless its template says
 * otherwise, that starts after the other: the controller makes its pods only then, so a cluster shows them too late to
 * plan ahead.
 *
 * <p>Source: kubernetes-sigs/jobset, pkg/controllers/jobset_controller.go and pkg/webhooks.
 */
final class JobSetWorkload implements WorkloadKind {
    private static final String PREFIX = "jobset.sigs.k8s.io/";
    private static final String GANG = AnnotationKeys.GANG;
    private static final String AFTER = AnnotationKeys.AFTER;
    private static final String EXCLUSIVE = "alpha." + PREFIX + "exclusive-topology";

    /** The gang of a role, its size, and those that it starts after, by key. */
    private static Map<String, String> chained(String set, List<ObjectFields> roles, ObjectFields role, int size) {
        Map<String, String> chained = new HashMap<>();
        chained.put(GANG, gang(set, role));
        ObjectFields annotations = template(role).at("annotations");
        if (!annotations.has(AnnotationKeys.GANG_SIZE)) {
            chained.put(AnnotationKeys.GANG_SIZE, String.valueOf(size));
        }
        String before = role.items("dependsOn").stream()
                .filter(other -> "Complete".equals(other.text("status")))
                .flatMap(other -> roles.stream().filter(one -> Objects.equals(one.text("name"), other.text("name"))))
                .map(other -> gang(set, other))
                .distinct()
                .collect(Collectors.joining(","));
        if (!before.isEmpty() && !annotations.has(AFTER)) {
            chained.put(AFTER, before);
        }
        return chained;
    }

    private static String gang(String set, ObjectFields role) {
        String own = template(role).at("labels").text(GANG);
        return own == null ? set + "-" + role.text("name") : own;
    }

    private static ObjectFields template(ObjectFields role) {
        return role.at("template").at("spec").at("template").at("metadata");
    }

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("jobset.x-k8s.io") && kind.equals("JobSet");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion making) {
        ObjectFields set = object.spec();
        making.suspended(set.flag("suspend"));
        boolean inTurn = set.items("replicatedJobs").stream().anyMatch(role -> role.has("dependsOn"));
        for (ObjectFields role : set.items("replicatedJobs")) {
            ObjectFields template = role.at("template");
            ObjectFields job = template.at("spec");
            PodTemplateSpec pods = object.template(job, "template");
            int atOnce = KubernetesJob.atOnce(job);
            boolean exclusive = object.annotations().containsKey(EXCLUSIVE)
                    || template.at("metadata").at("annotations").has(EXCLUSIVE);
            if (exclusive && atOnce > 1) {
                atOnce = 1;
                making.remark(
                        "with exclusive topology the other pods of each Job come only when its first one has a node");
            }
            String name = role.required("name", "the name of the replicated Job");
            int replicas = role.count("replicas", 1);
            // The webhook of JobSet makes every Job an Indexed one that does not say otherwise.
            Map<String, String> chained =
                    inTurn ? chained(object.name(), set.items("replicatedJobs"), role, replicas * atOnce) : Map.of();
            if (!chained.getOrDefault(AFTER, "").isEmpty()) {
                making.remark(("the pods of %s come only when those that it depends on have ended: its template needs "
                                + "slotwise.io/gang, slotwise.io/gang-size and slotwise.io/after to be "
                                + "planned like this")
                        .formatted(name));
            }
            boolean indexed = !"NonIndexed".equals(Objects.requireNonNullElse(job.text("completionMode"), "Indexed"));
            for (int i = 0; i < replicas; i++) {
                Map<String, String> labels = new HashMap<>(Map.of(
                        PREFIX + "jobset-name", object.name(),
                        PREFIX + "replicatedjob-name", name,
                        PREFIX + "replicatedjob-replicas", String.valueOf(replicas),
                        PREFIX + "job-index", String.valueOf(i),
                        PREFIX + "restart-attempt", "0"));
                Map<String, String> annotations = new HashMap<>(labels);
                if (inTurn) {
                    labels.put(GANG, chained.getOrDefault(GANG, name));
                    annotations.putAll(chained);
                    annotations.remove(GANG);
                }
                String jobName = "%s-%s-%d".formatted(object.name(), name, i);
                making.job(jobName, template);
                KubernetesJob.pods(
                        making, new KubernetesJob.Shape(jobName, indexed, labels, annotations), pods, atOnce);
            }
        }
    }
}
