package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Volcano Job: the pods NAME-TASK-0 and so on of each task, and the PodGroup that states how many start together.
 *
 * <p>Source: volcano-sh/volcano, pkg/controllers/job (createJobPod, createOrUpdatePodGroup) and
 * pkg/webhooks/admission/jobs (mutate and validate).
 */
final class VolcanoJob implements WorkloadKind {
    private static final String PREFIX = "volcano.sh/";
    private static final String TOPOLOGY = "networkTopology";
    /** The scheduler of a Job that names none. */
    private static final String SCHEDULER = "volcano";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("batch.volcano.sh") && kind.equals("Job");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields jobFields = object.spec();
        String scheduler = Objects.requireNonNullElse(jobFields.text("schedulerName"), SCHEDULER);
        List<ObjectFields> tasks = jobFields.items("tasks");
        checkOrder(tasks);
        long least = 0;
        int all = 0;
        ObjectNode minTaskMember = object.mapper().createObjectNode();
        for (int t = 0; t < tasks.size(); t++) {
            ObjectFields taskFields = tasks.get(t);
            int replicas = taskFields.count("replicas", 1);
            int needed = taskFields.count("minAvailable", replicas, replicas);
            least += needed;
            all += replicas;
            String name = name(taskFields, t);
            minTaskMember.put(name, needed);
            if (taskFields.has("dependsOn")) {
                expansion.remark("the pods of task %s come only when those of others run".formatted(name));
            }
            expansion.late(taskFields.has("dependsOn"));
            PodTemplateSpec template = object.template(taskFields, "template");
            if (template.getSpec().getSchedulerName() == null) {
                template.getSpec().setSchedulerName(scheduler);
            }
            for (int i = 0; i < replicas; i++) {
                String pod = "%s-%s-%d".formatted(object.name(), name, i);
                expansion.pod(pod, template, expansion.owner(), labels(object, name, i), annotations(object, name, i));
            }
        }
        int stated = jobFields.count("minAvailable", 0, all);
        ObjectNode groupFields = object.mapper().createObjectNode().put("minMember", stated > 0 ? stated : least);
        groupFields.set("minTaskMember", minTaskMember);
        if (jobFields.has(TOPOLOGY)) {
            groupFields.set(TOPOLOGY, jobFields.at(TOPOLOGY).value());
        }
        expansion.group("scheduling.volcano.sh/v1beta1", "PodGroup", object.name(), groupFields);
        expansion.remark("in a cluster the gang's name ends with the Job's UID");
    }

    private static String name(ObjectFields taskFields, int position) {
        return Objects.requireNonNullElse(taskFields.text("name"), "default" + position);
    }

    /** Checks that no task waits for one that is not there, or in a circle. O(tasks * dependencies). */
    private static void checkOrder(List<ObjectFields> tasks) {
        Map<String, ObjectFields> left = new LinkedHashMap<>();
        for (int t = 0; t < tasks.size(); t++) {
            left.put(name(tasks.get(t), t), tasks.get(t));
        }
        Set<String> names = Set.copyOf(left.keySet());
        while (left.values().removeIf(taskFields -> awaited(taskFields, names).noneMatch(left::containsKey))) {}
        left.values().stream().findFirst().ifPresent(taskFields -> {
            throw taskFields.invalid("dependsOn", taskFields.value().path("dependsOn"), "no circle of tasks");
        });
    }

    private static Stream<String> awaited(ObjectFields taskFields, Set<String> names) {
        ObjectFields dependencyFields = taskFields.at("dependsOn");
        return dependencyFields.value().path("name").valueStream().map(other -> {
            if (!names.contains(other.asText())) {
                throw dependencyFields.invalid("name", other, "the name of a task");
            }
            return other.asText();
        });
    }

    private static Map<String, String> labels(WrittenObject object, String task, int index) {
        Map<String, String> labels = new HashMap<>();
        labels.put(PREFIX + "job-name", object.name());
        labels.put(PREFIX + "job-namespace", object.namespace());
        labels.put(PREFIX + "task-spec", task);
        labels.put(PREFIX + "task-index", String.valueOf(index));
        return labels;
    }

    private static Map<String, String> annotations(WrittenObject object, String task, int index) {
        Map<String, String> annotations = new HashMap<>();
        annotations.put("scheduling.k8s.io/group-name", object.name());
        annotations.put(PREFIX + "job-name", object.name());
        annotations.put(PREFIX + "task-spec", task);
        annotations.put(PREFIX + "task-index", String.valueOf(index));
        return annotations;
    }
}
