package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Map;
import java.util.Objects;

/**
 * A JobSet: the Jobs NAME-ROLE-0 and so on of each role. With exclusive topology only the first pod of each Job is made
 * at once; the others wait until that one has a node.
 *
 * <p>Source: kubernetes-sigs/jobset, pkg/controllers/jobset_controller.go and pkg/webhooks.
 */
final class JobSetWorkload implements WorkloadKind {
    private static final String PREFIX = "jobset.sigs.k8s.io/";
    private static final String EXCLUSIVE = "alpha." + PREFIX + "exclusive-topology";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("jobset.x-k8s.io") && kind.equals("JobSet");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion making) {
        ObjectFields set = object.spec();
        making.suspended(set.flag("suspend"));
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
            boolean indexed = !"NonIndexed".equals(Objects.requireNonNullElse(job.text("completionMode"), "Indexed"));
            for (int i = 0; i < replicas; i++) {
                Map<String, String> labels = Map.of(
                        PREFIX + "jobset-name", object.name(),
                        PREFIX + "replicatedjob-name", name,
                        PREFIX + "replicatedjob-replicas", String.valueOf(replicas),
                        PREFIX + "job-index", String.valueOf(i),
                        PREFIX + "restart-attempt", "0");
                String jobName = "%s-%s-%d".formatted(object.name(), name, i);
                KubernetesJob.pods(making, new KubernetesJob.Shape(jobName, indexed, labels, labels), pods, atOnce);
            }
        }
    }
}
