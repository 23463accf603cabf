package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.util.List;

/**
 * A MiniCluster of the Flux operator: an Indexed Job of the same name with {@code size} pods, which prefer different
 * nodes.
 *
 * <p>Source: flux-framework/flux-operator, controllers/flux/job.go and api/v1alpha2/minicluster_types.go.
 */
final class MiniCluster implements WorkloadKind {
    /** The fields of {@code spec.pod} that the operator copies into the pod template. */
    private static final List<String> OF_PODS =
            List.of("schedulerName", "nodeSelector", "runtimeClassName", "serviceAccountName", "tolerations");

    private static final int YEAR = 31_500_000;

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("flux-framework.org") && kind.equals("MiniCluster");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields clusterFields = object.spec();
        ObjectFields podFields = clusterFields.at("pod");
        int size = clusterFields.count("size", 1);
        ObjectNode job = object.mapper().createObjectNode();
        job.put("apiVersion", "batch/v1").put("kind", "Job");
        ObjectNode metadata = job.putObject("metadata").put("name", object.name());
        clusterFields.copy("jobLabels", metadata, "labels");
        ObjectNode spec = job.putObject("spec")
                .put("completionMode", "Indexed")
                .put("completions", size)
                .put("parallelism", size)
                .put("activeDeadlineSeconds", clusterFields.count("deadlineSeconds", YEAR, Integer.MAX_VALUE));
        if (!clusterFields.has("deadlineSeconds")
                && !podFields.at("annotations").has(AnnotationKeys.RUNTIME)) {
            expansion.remark(("without deadlineSeconds its Job may run for a year, which is planned (state `%s` in "
                            + "spec.pod.annotations)")
                    .formatted(AnnotationKeys.RUNTIME));
        }
        ObjectNode template = spec.putObject("template");
        ObjectNode podMetadata = template.putObject("metadata");
        podFields.copy("labels", podMetadata, "labels");
        podFields.copy("annotations", podMetadata, "annotations");
        ObjectNode podSpec = template.putObject("spec");
        OF_PODS.forEach(field -> podFields.copy(field, podSpec, field));
        containers(clusterFields, podSpec);
        if (clusterFields.has("services")) {
            expansion.remark("the pods of its services are not read");
        }
        expansion.create(job, new ObjectFields(clusterFields.path(), spec));
    }

    private static void containers(ObjectFields clusterFields, ObjectNode podSpec) {
        ArrayNode containers = podSpec.putArray("containers");
        for (ObjectFields containerFields : clusterFields.items("containers")) {
            ObjectNode container = containers.addObject();
            container.put("name", "container-" + (containers.size() - 1));
            containerFields.copy("image", container, "image");
            containerFields.copy("resources", container, "resources");
        }
        ObjectFields viewFields = clusterFields.at("flux").at("container");
        if (!viewFields.flag("disable")) {
            ObjectNode view = podSpec.putArray("initContainers").addObject().put("name", "flux-view");
            viewFields.copy("resources", view, "resources");
        }
    }
}
