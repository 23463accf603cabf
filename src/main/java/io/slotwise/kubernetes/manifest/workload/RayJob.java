package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A RayJob: the pods of the RayCluster that it makes. What submits its work comes only when the cluster is ready.
 *
 * <p>Source: ray-project/kuberay, ray-operator/controllers/ray/rayjob_controller.go (constructRayClusterForRayJob).
 */
final class RayJob implements WorkloadKind {
    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals(RayCluster.API_GROUP) && kind.equals("RayJob");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion making) {
        ObjectFields job = object.spec();
        making.suspended(job.flag("suspend"));
        if (job.has("clusterSelector")) {
            making.remark("it runs in the RayCluster that its clusterSelector names");
            return;
        }
        ObjectFields cluster = job.at("rayClusterSpec");
        if (!(cluster.value() instanceof ObjectNode spec)) {
            throw new IllegalArgumentException("no %s: expected the RayCluster to make".formatted(cluster.path()));
        }
        making.group(object.apiVersion(), RayCluster.KIND, object.name(), spec);
        RayCluster.pods(object, making, cluster);
        making.remark("in a cluster the name of its RayCluster, and so the gang's, has a random end");
    }
}
