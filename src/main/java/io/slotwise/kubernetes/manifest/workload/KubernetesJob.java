package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodSchedulingGroupBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * A Kubernetes Job: its parallel pods, named NAME-0 and so on.
 *
 * <p>Source: Kubernetes 1.37, pkg/controller/job/job_controller.go and indexed_job_utils.go.
 */
final class KubernetesJob implements WorkloadKind {
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("batch") && kind.equals("Job");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields jobFields = object.spec();
        expansion.suspended(jobFields.flag("suspend"));
        boolean indexed = "Indexed".equals(jobFields.text("completionMode"));
        Shape shape = new Shape(object.name(), indexed, Map.of(), Map.of());
        PodTemplateSpec template = object.template(jobFields, "template");
        joinPodGroup(object, jobFields, indexed, template, expansion);
        pods(expansion, shape, template, atOnce(jobFields));
    }

    /**
     * Adds the PodGroup of a Job with a policy, unless its template names one. Without a size a gang is as large as the
     * Job's parallelism.
     */
    private static void joinPodGroup(
            WrittenObject object,
            ObjectFields jobFields,
            boolean indexed,
            PodTemplateSpec template,
            WorkloadExpansion expansion) {
        ObjectFields policyFields = jobFields.at("scheduling").at("schedulingPolicy");
        if (!policyFields.isThere() || template.getSpec().getSchedulingGroup() != null) {
            return;
        }
        ObjectNode spec = object.mapper().createObjectNode();
        if (policyFields.has("gang")) {
            int parallelism = Math.max(1, jobFields.count("parallelism", 1));
            spec.putObject("schedulingPolicy")
                    .putObject("gang")
                    .put("minCount", policyFields.at("gang").count("minCount", parallelism));
        } else {
            spec.putObject("schedulingPolicy").putObject("basic");
        }
        // The PodGroup of an Indexed Job does not name its gang.
        String name = indexed ? "%s-0-%s-pgt-0-0".formatted(object.name(), object.name()) : object.name();
        expansion.group("scheduling.k8s.io/v1beta1", "PodGroup", name, spec);
        template.getSpec()
                .setSchedulingGroup(
                        new PodSchedulingGroupBuilder().withPodGroupName(name).build());
        expansion.remark(
                "spec.scheduling needs Kubernetes' feature gate WorkloadWithJob, and in a cluster the name of the "
                        + "Job's PodGroup has a hash at its end");
    }

    static int atOnce(ObjectFields jobFields) {
        int parallelism = jobFields.count("parallelism", 1);
        return Math.min(parallelism, jobFields.count("completions", parallelism, Integer.MAX_VALUE));
    }

    /** The common properties of a Job's pods, with the labels and annotations of the object that created the Job. */
    record Shape(String job, boolean indexed, Map<String, String> labels, Map<String, String> annotations) {}

    static void pods(WorkloadExpansion expansion, Shape shape, PodTemplateSpec template, int count) {
        OwnerReference owner = WorkloadExpansion.controller("batch/v1", "Job", shape.job);
        for (int i = 0; i < count; i++) {
            Map<String, String> labels = new HashMap<>(shape.labels);
            Map<String, String> annotations = new HashMap<>(shape.annotations);
            labels.put("batch.kubernetes.io/job-name", shape.job);
            labels.put("job-name", shape.job);
            if (shape.indexed) {
                labels.put(INDEX, String.valueOf(i));
                annotations.put(INDEX, String.valueOf(i));
            }
            expansion.pod(shape.job + "-" + i, template, owner, labels, annotations);
        }
    }
}
