package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A Job of Volcano: the pods NAME-TASK-0 and so on of each task, and the PodGroup that says how many start together.
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
    public void make(WrittenObject object, WorkloadExpansion making) {
        ObjectFields job = object.spec();
        String scheduler = Objects.requireNonNullElse(job.text("schedulerName"), SCHEDULER);
        List<ObjectFields> tasks = job.items("tasks");
        long least = 0;
        ObjectNode minTaskMember = object.mapper().createObjectNode();
        for (int t = 0; t < tasks.size(); t++) {
            ObjectFields task = tasks.get(t);
            int replicas = task.count("replicas", 1);
            int needed = task.count("minAvailable", replicas);
            least += needed;
            String name = Objects.requireNonNullElse(task.text("name"), "default" + t);
            minTaskMember.put(name, needed);
            if (task.has("dependsOn")) {
                making.remark("the pods of task %s come only when those of others run".formatted(name));
            }
            making.late(task.has("dependsOn"));
            PodTemplateSpec template = object.template(task, "template");
            if (template.getSpec().getSchedulerName() == null) {
                template.getSpec().setSchedulerName(scheduler);
            }
            for (int i = 0; i < replicas; i++) {
                String pod = "%s-%s-%d".formatted(object.name(), name, i);
                making.pod(pod, template, making.owner(), labels(object, name, i), annotations(object, name, i));
            }
        }
        int stated = job.count("minAvailable", 0);
        making.group(
                "scheduling.volcano.sh/v1beta1",
                "PodGroup",
                object.name(),
                object.mapper()
                        .createObjectNode()
                        .put("minMember", stated > 0 ? stated : least)
                        .set("minTaskMember", minTaskMember));
        making.remark("in a cluster the gang's name ends with the Job's UID");
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
