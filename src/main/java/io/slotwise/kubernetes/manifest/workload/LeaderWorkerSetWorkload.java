package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * A LeaderWorkerSet: for each group the leader NAME-GROUP and its workers NAME-GROUP-1 and so on. With {@code
 * startupPolicy: LeaderReady} or exclusive topology only the leaders are created at once.
 *
 * <p>Source: kubernetes-sigs/lws, pkg/controllers/leaderworkerset_controller.go, pod_controller.go and
 * pkg/webhooks/pod_webhook.go.
 */
final class LeaderWorkerSetWorkload implements WorkloadKind {
    private static final String PREFIX = "leaderworkerset.sigs.k8s.io/";
    private static final String EXCLUSIVE = PREFIX + "exclusive-topology";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("leaderworkerset.x-k8s.io") && kind.equals("LeaderWorkerSet");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields setFields = object.spec();
        ObjectFields groupFields = setFields.at("leaderWorkerTemplate");
        int replicas = setFields.count("replicas", 1);
        int size = groupFields.count("size", 1);
        PodTemplateSpec worker = object.template(groupFields, "workerTemplate");
        PodTemplateSpec leader =
                groupFields.has("leaderTemplate") ? object.template(groupFields, "leaderTemplate") : worker;
        boolean exclusive = object.annotations().containsKey(EXCLUSIVE);
        boolean afterLeader = "LeaderReady".equals(setFields.text("startupPolicy"));
        if (exclusive) {
            expansion.remark("with exclusive topology the workers come only when their leader has a node");
        } else if (afterLeader) {
            expansion.remark("with startupPolicy LeaderReady the workers come only when their leader is ready");
        }
        Map<String, String> annotations = new HashMap<>(Map.of(PREFIX + "size", String.valueOf(size)));
        if (exclusive) {
            annotations.put(EXCLUSIVE, String.valueOf(object.annotations().get(EXCLUSIVE)));
        }
        for (int i = 0; i < replicas + surge(object, setFields, replicas); i++) {
            String name = object.name() + "-" + i;
            expansion.pod(
                    name,
                    leader,
                    WorkloadExpansion.controller("apps/v1", "StatefulSet", object.name()),
                    labels(object.name(), i, 0),
                    annotations);
            expansion.late(afterLeader || exclusive);
            for (int w = 1; w < size; w++) {
                expansion.pod(
                        name + "-" + w,
                        worker,
                        WorkloadExpansion.controller("apps/v1", "StatefulSet", name),
                        labels(object.name(), i, w),
                        Map.of(PREFIX + "size", String.valueOf(size), PREFIX + "leader-name", name));
            }
            expansion.late(false);
        }
    }

    /** Returns the most groups that a rolling update may add to an object in a cluster; 0 for a written one. */
    private static int surge(WrittenObject object, ObjectFields setFields, int replicas) {
        ObjectFields updateFields = setFields.at("rolloutStrategy").at("rollingUpdateConfiguration");
        String surge = updateFields.text("maxSurge");
        return object.metadata().getUid() == null || surge == null
                ? 0
                : surge.endsWith("%") ? replicas : updateFields.count("maxSurge", 0);
    }

    private static Map<String, String> labels(String name, int group, int worker) {
        Map<String, String> labels = new HashMap<>();
        labels.put(PREFIX + "name", name);
        labels.put(PREFIX + "group-index", String.valueOf(group));
        labels.put(PREFIX + "worker-index", String.valueOf(worker));
        return labels;
    }
}
