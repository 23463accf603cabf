package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Map;

/**
 * An object of Dask's operator. A DaskCluster has the pod NAME-scheduler and the workers NAME-default-worker-0 and so
 * on, a DaskWorkerGroup the workers NAME-worker-0 and so on. A DaskJob has the pod NAME-runner and a DaskCluster of its
 * name. The labels and annotations of each object are handed on.
 *
 * <p>Source: dask/dask-kubernetes, operator/controller.
 */
final class DaskWorkload implements WorkloadKind {
    private static final String API_GROUP = "kubernetes.dask.org";
    private static final String PREFIX = "dask.org/";
    private static final String CLUSTER = "cluster";
    private static final List<String> KINDS = List.of("DaskJob", "DaskCluster", "DaskWorkerGroup");

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals(API_GROUP) && KINDS.contains(kind);
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields specFields = object.spec();
        expansion.suspended(specFields.flag("suspend"));
        switch (object.kind()) {
            case "DaskJob" -> {
                CreatedObjects.create(
                        object,
                        expansion,
                        new CreatedObjects.Part(CLUSTER, API_GROUP + "/v1 DaskCluster"),
                        CreatedObjects.template(specFields, CLUSTER),
                        true);
                pod(object, expansion, "job", "-runner", "job-runner");
            }
            case "DaskCluster" -> {
                pod(object, expansion, "scheduler", "-scheduler", "scheduler");
                workers(object, expansion, object.name() + "-default", object.name());
            }
            default -> {
                String cluster = specFields.has(CLUSTER)
                        ? specFields.required(CLUSTER, "the name of a DaskCluster")
                        : object.name();
                workers(object, expansion, object.name(), cluster);
            }
        }
    }

    private static void pod(
            WrittenObject object, WorkloadExpansion expansion, String field, String suffix, String component) {
        expansion.pod(
                object.name() + suffix,
                template(object, CreatedObjects.template(object.spec(), field)),
                expansion.owner(),
                Map.of(PREFIX + "component", component, PREFIX + "cluster-name", object.name()),
                Map.of());
    }

    private static void workers(WrittenObject object, WorkloadExpansion expansion, String group, String cluster) {
        ObjectFields workerFields = CreatedObjects.template(object.spec(), "worker");
        PodTemplateSpec template = template(object, workerFields);
        Map<String, String> labels = Map.of(
                PREFIX + "component", "worker", PREFIX + "cluster-name", cluster, PREFIX + "workergroup-name", group);
        int count = workerFields.count("replicas", 1);
        for (int i = 0; i < count; i++) {
            expansion.pod(group + "-worker-" + i, template, expansion.owner(), labels, Map.of());
        }
    }

    /** Returns a pod template with the labels and annotations of the object, unless it states others. */
    private static PodTemplateSpec template(WrittenObject object, ObjectFields templateFields) {
        PodTemplateSpec template = object.template(templateFields);
        ObjectMeta given = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        given.setLabels(WorkloadExpansion.both(object.labels(), given.getLabels()));
        given.setAnnotations(WorkloadExpansion.both(object.annotations(), given.getAnnotations()));
        template.setMetadata(given);
        return template;
    }
}
