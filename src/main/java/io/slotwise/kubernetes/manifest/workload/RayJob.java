package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;

/**
 * A RayJob: the pods of its RayCluster. The submitter is a container of the head, or a pod of a Job NAME that is
 * created when the cluster is ready.
 *
 * <p>Source: ray-project/kuberay, ray-operator/controllers/ray/rayjob_controller.go (constructRayClusterForRayJob,
 * createK8sJobIfNeed) and common/job.go (GetDefaultSubmitterContainer).
 */
final class RayJob implements WorkloadKind {
    private static final String TEMPLATE = "submitterPodTemplate";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals(RayCluster.API_GROUP) && kind.equals("RayJob");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields jobFields = object.spec();
        expansion.suspended(jobFields.flag("suspend"));
        if (jobFields.has("clusterSelector")) {
            expansion.remark("it runs in the RayCluster that its clusterSelector names");
            return;
        }
        ObjectFields clusterFields = jobFields.at("rayClusterSpec");
        if (!(clusterFields.value() instanceof ObjectNode spec)) {
            throw new IllegalArgumentException(
                    "no %s: expected the RayCluster to make".formatted(clusterFields.path()));
        }
        expansion.group(object.apiVersion(), RayCluster.KIND, object.name(), spec);
        String mode = jobFields.oneOf("submissionMode", "K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode");
        RayCluster.pods(
                object, expansion, clusterFields, mode.equals("SidecarMode") ? List.of(submitter()) : List.of());
        expansion.remark("in a cluster the name of its RayCluster, and so the gang's, has a random end");
        if (mode.equals("K8sJobMode")) {
            submitter(object, expansion, jobFields);
        }
    }

    private static void submitter(WrittenObject object, WorkloadExpansion expansion, ObjectFields jobFields) {
        PodTemplateSpec template = jobFields.has(TEMPLATE)
                ? object.template(jobFields, TEMPLATE)
                : new PodTemplateSpecBuilder()
                        .withNewSpec()
                        .withContainers(submitter())
                        .endSpec()
                        .build();
        String scheduler = template.getSpec().getSchedulerName();
        if (scheduler == null || scheduler.isEmpty()) {
            expansion.remark(
                    "the pod that submits its work comes when the cluster is ready, and is for default-scheduler");
            return;
        }
        Map<String, String> labels = Map.of("batch.kubernetes.io/job-name", object.name(), "job-name", object.name());
        expansion.pod(
                object.name() + "-0",
                template,
                WorkloadExpansion.controller("batch/v1", "Job", object.name()),
                labels,
                Map.of());
        expansion.remark("the pod that submits its work comes when the cluster is ready, and is planned by itself");
    }

    private static Container submitter() {
        return new ContainerBuilder()
                .withName("ray-job-submitter")
                .withNewResources()
                .addToRequests("cpu", new Quantity("500m"))
                .addToRequests("memory", new Quantity("200Mi"))
                .endResources()
                .build();
    }
}
