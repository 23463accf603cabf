package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * An MPIJob of the training operator or, from {@code v2beta1} on, of the MPI operator, whose launcher is the pod of a
 * Job. If the MPIJob says so, the launcher is created only when the workers are ready.
 *
 * <p>Source: kubeflow/mpi-operator, pkg/controller/mpi_job_controller.go; kubeflow/trainer (v1), pkg/controller.v1/mpi.
 */
final class MpiJob implements WorkloadKind {
    private static final String ROLES = "mpiReplicaSpecs";
    private static final String PREFIX = "training.kubeflow.org/";
    private static final String OPERATOR = "mpi-operator";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("kubeflow.org") && kind.equals("MPIJob");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        if (object.apiVersion().endsWith("/v1")) {
            TrainingJob.pods(object, expansion, ROLES);
            return;
        }
        ObjectFields jobFields = object.spec();
        expansion.suspended(jobFields.at("runPolicy").flag("suspend"));
        ObjectFields launcherFields = jobFields.at(ROLES).at("Launcher");
        if (!launcherFields.isThere()) {
            throw new IllegalArgumentException("no %s: expected the launcher".formatted(launcherFields.path()));
        }
        boolean waits = jobFields
                .oneOf("launcherCreationPolicy", "AtStartup", "WaitForWorkersReady")
                .equals("WaitForWorkersReady");
        if (waits) {
            expansion.remark("with launcherCreationPolicy WaitForWorkersReady the launcher comes only when the "
                    + "workers are ready");
        }
        expansion.late(waits);
        launcher(object, expansion, launcherFields);
        expansion.late(false);
        ObjectFields workerFields = jobFields.at(ROLES).at("Worker");
        if (workerFields.isThere()) {
            workers(object, expansion, workerFields);
        }
    }

    private static void launcher(WrittenObject object, WorkloadExpansion expansion, ObjectFields launcherFields) {
        String name = object.name() + "-launcher";
        PodTemplateSpec template = object.template(launcherFields, "template");
        OwnerReference owner = WorkloadExpansion.controller("batch/v1", "Job", name);
        Map<String, String> labels = role(object.name(), "launcher");
        labels.put("batch.kubernetes.io/job-name", name);
        labels.put("job-name", name);
        for (int i = 0; i < launcherFields.count("replicas", 1, 1); i++) {
            expansion.pod(name + "-" + i, template, owner, labels, Map.of());
        }
    }

    private static void workers(WrittenObject object, WorkloadExpansion expansion, ObjectFields workerFields) {
        PodTemplateSpec template = object.template(workerFields, "template");
        int count = workerFields.count("replicas", 1);
        for (int i = 0; i < count; i++) {
            Map<String, String> labels = TrainingJob.labels(object.name(), OPERATOR, "worker", i);
            labels.putAll(role(object.name(), "worker"));
            expansion.pod("%s-worker-%d".formatted(object.name(), i), template, expansion.owner(), labels, Map.of());
        }
    }

    private static Map<String, String> role(String job, String role) {
        Map<String, String> labels = new HashMap<>();
        labels.put(PREFIX + "job-name", job);
        labels.put(PREFIX + "operator-name", OPERATOR);
        labels.put(PREFIX + "job-role", role);
        return labels;
    }
}
