package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pods that a Job would have at its start, named NAME-0 and so on. */
final class JobPods {
    private JobPods() {}

    /** As many pods as run at a time; none while the job is suspended. */
    static List<Pod> of(Job job) {
        JobSpec spec = job.getSpec();
        PodTemplateSpec template = spec == null ? null : spec.getTemplate();
        if (spec == null || template == null || template.getSpec() == null) {
            throw new IllegalArgumentException("no spec.template.spec: expected the job's pod template");
        }
        int parallelism = spec.getParallelism() == null ? 1 : spec.getParallelism();
        int count = spec.getCompletions() == null ? parallelism : Math.min(parallelism, spec.getCompletions());
        if (parallelism < 0 || count > GangTerms.LARGEST) {
            throw new IllegalArgumentException("spec.parallelism (%d) is not valid: expected between 0 and %d"
                    .formatted(parallelism, GangTerms.LARGEST));
        }
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < count && !Boolean.TRUE.equals(spec.getSuspend()); i++) {
            pods.add(pod(job, template, i));
        }
        return pods;
    }

    private static Pod pod(Job job, PodTemplateSpec template, int index) {
        ObjectMeta given = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        String jobName = job.getMetadata().getName();
        Map<String, String> labels = new HashMap<>();
        if (given.getLabels() != null) {
            labels.putAll(given.getLabels());
        }
        labels.put("batch.kubernetes.io/job-name", jobName);
        labels.put("job-name", jobName);
        if ("Indexed".equals(job.getSpec().getCompletionMode())) {
            labels.put("batch.kubernetes.io/job-completion-index", String.valueOf(index));
        }
        ObjectMeta metadata = new ObjectMeta();
        metadata.setName(jobName + "-" + index);
        metadata.setNamespace(job.getMetadata().getNamespace());
        metadata.setCreationTimestamp(job.getMetadata().getCreationTimestamp());
        metadata.setLabels(labels);
        metadata.setAnnotations(given.getAnnotations());
        metadata.setOwnerReferences(List.of(new OwnerReferenceBuilder()
                .withApiVersion(job.getApiVersion())
                .withKind(job.getKind())
                .withName(jobName)
                .withController(true)
                .build()));
        Pod pod = new Pod();
        pod.setMetadata(metadata);
        pod.setSpec(template.getSpec());
        return pod;
    }
}
