package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * A LeaderWorkerSet: of each group the leader NAME-GROUP and its workers NAME-GROUP-1 and so on. With {@code
 * startupPolicy: LeaderReady} or exclusive topology only the leaders are made at once.
 *
 * <p>Source: kubernetes-sigs/lws, pkg/controllers/leaderworkerset_controller.go, pod_controller.go and
 * pkg/webhooks/pod_webhook.go.
 */
final class LeaderWorkerSetWorkload implements WorkloadKind {
    private static final String PREFIX = "leaderworkerset.sigs.k8s.io/";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("leaderworkerset.x-k8s.io") && kind.equals("LeaderWorkerSet");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion making) {
        ObjectFields set = object.spec();
        ObjectFields group = set.at("leaderWorkerTemplate");
        int replicas = set.count("replicas", 1);
        int size = group.count("size", 1);
        PodTemplateSpec worker = object.template(group, "workerTemplate");
        PodTemplateSpec leader = group.has("leaderTemplate") ? object.template(group, "leaderTemplate") : worker;
        boolean late = workersComeLate(object, set, making);
        for (int i = 0; i < replicas; i++) {
            String name = object.name() + "-" + i;
            making.pod(
                    name,
                    leader,
                    WorkloadExpansion.controller("apps/v1", "StatefulSet", object.name()),
                    labels(object.name(), i, 0),
                    Map.of(PREFIX + "size", String.valueOf(size)));
            for (int w = 1; w < size && !late; w++) {
                making.pod(
                        name + "-" + w,
                        worker,
                        WorkloadExpansion.controller("apps/v1", "StatefulSet", name),
                        labels(object.name(), i, w),
                        Map.of(PREFIX + "size", String.valueOf(size), PREFIX + "leader-name", name));
            }
        }
    }

    private static boolean workersComeLate(WrittenObject object, ObjectFields set, WorkloadExpansion making) {
        if ("LeaderReady".equals(set.text("startupPolicy"))) {
            making.remark("with startupPolicy LeaderReady the workers come only when their leader is ready");
            return true;
        }
        if (object.annotations().containsKey(PREFIX + "exclusive-topology")) {
            making.remark("with exclusive topology the workers come only when their leader has a node");
            return true;
        }
        return false;
    }

    private static Map<String, String> labels(String name, int group, int worker) {
        Map<String, String> labels = new HashMap<>();
        labels.put(PREFIX + "name", name);
        labels.put(PREFIX + "group-index", String.valueOf(group));
        labels.put(PREFIX + "worker-index", String.valueOf(worker));
        return labels;
    }
}
