package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A Volcano Job: the pods NAME-TASK-0 and so on of each task, and the PodGroup that states how many start together.
 *
 * <p>Source: volcano-sh/volcano, pkg/controllers/job (createJobPod, createOrUpdatePodGroup) and
 * pkg/webhooks/admission/jobs/mutate.
 */
final class VolcanoJob implements WorkloadKind {
    private static final String PREFIX = "volcano.sh/";
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
        long least = 0;
        ObjectNode minTaskMember = object.mapper().createObjectNode();
        for (int t = 0; t < tasks.size(); t++) {
            ObjectFields taskFields = tasks.get(t);
            int replicas = taskFields.count("replicas", 1);
            int needed = taskFields.count("minAvailable", replicas);
            least += needed;
            String name = Objects.requireNonNullElse(taskFields.text("name"), "default" + t);
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
        int stated = jobFields.count("minAvailable", 0);
        expansion.group(
                "scheduling.volcano.sh/v1beta1",
                "PodGroup",
                object.name(),
                object.mapper()
                        .createObjectNode()
                        .put("minMember", stated > 0 ? stated : least)
                        .set("minTaskMember", minTaskMember));
        expansion.remark("in a cluster the gang's name ends with the Job's UID");
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
