package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * An MPIJob, of the training operator or, from {@code v2beta1} on, of the MPI operator, whose launcher is the pod of a
 * Job. That one comes only when the workers are ready, if the MPIJob says so.
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
    public void make(WrittenObject object, WorkloadExpansion making) {
        if (object.apiVersion().endsWith("/v1")) {
            TrainingJob.pods(object, making, ROLES);
            return;
        }
        ObjectFields job = object.spec();
        making.suspended(job.at("runPolicy").flag("suspend"));
        ObjectFields launcher = job.at(ROLES).at("Launcher");
        if (!launcher.isThere()) {
            throw new IllegalArgumentException("no %s: expected the launcher".formatted(launcher.path()));
        }
        boolean waits = "WaitForWorkersReady".equals(job.text("launcherCreationPolicy"));
        if (waits) {
            making.remark("with launcherCreationPolicy WaitForWorkersReady the launcher comes only when the "
                    + "workers are ready");
        }
        making.late(waits);
        launcher(object, making, launcher);
        making.late(false);
        ObjectFields worker = job.at(ROLES).at("Worker");
        if (worker.isThere()) {
            workers(object, making, worker);
        }
    }

    private static void launcher(WrittenObject object, WorkloadExpansion making, ObjectFields launcher) {
        String name = object.name() + "-launcher";
        PodTemplateSpec template = object.template(launcher, "template");
        OwnerReference owner = WorkloadExpansion.controller("batch/v1", "Job", name);
        Map<String, String> labels = role(object.name(), "launcher");
        labels.put("batch.kubernetes.io/job-name", name);
        labels.put("job-name", name);
        for (int i = 0; i < launcher.count("replicas", 1, 1); i++) {
            making.pod(name + "-" + i, template, owner, labels, Map.of());
        }
    }

    private static void workers(WrittenObject object, WorkloadExpansion making, ObjectFields worker) {
        PodTemplateSpec template = object.template(worker, "template");
        int count = worker.count("replicas", 1);
        for (int i = 0; i < count; i++) {
            Map<String, String> labels = TrainingJob.labels(object.name(), OPERATOR, "worker", i);
            labels.putAll(role(object.name(), "worker"));
            making.pod("%s-worker-%d".formatted(object.name(), i), template, making.owner(), labels, Map.of());
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
