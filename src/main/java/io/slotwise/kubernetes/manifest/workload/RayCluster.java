package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A RayCluster: the head NAME-head, with the autoscaler's container if it has one, and the workers NAME-GROUP-worker-0
 * and so on.
 *
 * <p>Source: ray-project/kuberay, ray-operator/controllers/ray/common/pod.go and utils/util.go
 * (GetWorkerGroupDesiredReplicas).
 */
final class RayCluster implements WorkloadKind {
    static final String API_GROUP = "ray.io";
    static final String KIND = "RayCluster";
    private static final String AUTOSCALES = "enableInTreeAutoscaling";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals(API_GROUP) && kind.equals(KIND);
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        expansion.suspended(object.spec().flag("suspend"));
        pods(object, expansion, object.spec());
    }

    static void pods(WrittenObject object, WorkloadExpansion expansion, ObjectFields clusterFields) {
        pods(object, expansion, clusterFields, List.of());
    }

    static void pods(
            WrittenObject object, WorkloadExpansion expansion, ObjectFields clusterFields, List<Container> sidecars) {
        OwnerReference owner = WorkloadExpansion.controller(object.apiVersion(), KIND, object.name());
        PodTemplateSpec head = object.template(clusterFields.at("headGroupSpec"), "template");
        List<Container> containers = new ArrayList<>(head.getSpec().getContainers());
        if (clusterFields.flag(AUTOSCALES)) {
            containers.add(autoscaler(object, clusterFields.at("autoscalerOptions")));
        }
        containers.addAll(sidecars);
        head.getSpec().setContainers(containers);
        expansion.pod(object.name() + "-head", head, owner, labels(object.name(), "head", "headgroup"), Map.of());
        for (ObjectFields groupFields : clusterFields.items("workerGroupSpecs")) {
            String name = groupFields.required("groupName", "the name of the worker group");
            PodTemplateSpec worker = object.template(groupFields, "template");
            long count = (long) replicas(groupFields) * groupFields.count("numOfHosts", 1);
            for (int i = 0; i < count; i++) {
                expansion.pod(
                        "%s-%s-worker-%d".formatted(object.name(), name, i),
                        worker,
                        owner,
                        labels(object.name(), "worker", name),
                        Map.of());
            }
        }
    }

    private static int replicas(ObjectFields groupFields) {
        int least = groupFields.count("minReplicas", 0);
        int most = groupFields.count("maxReplicas", Integer.MAX_VALUE, Integer.MAX_VALUE);
        int replicas = groupFields.count("replicas", 0);
        return groupFields.flag("suspend") ? 0 : Math.min(Math.max(replicas, least), most);
    }

    private static Container autoscaler(WrittenObject object, ObjectFields optionFields) {
        ObjectFields resourceFields = optionFields.at("resources");
        ContainerBuilder container = new ContainerBuilder().withName("autoscaler");
        return resourceFields.isThere()
                ? container
                        .withResources(object.mapper().convertValue(resourceFields.value(), ResourceRequirements.class))
                        .build()
                : container
                        .withNewResources()
                        .addToRequests("cpu", new Quantity("500m"))
                        .addToRequests("memory", new Quantity("512Mi"))
                        .endResources()
                        .build();
    }

    private static Map<String, String> labels(String cluster, String type, String group) {
        Map<String, String> labels = new HashMap<>();
        labels.put("app.kubernetes.io/created-by", "kuberay-operator");
        labels.put("app.kubernetes.io/name", "kuberay");
        labels.put("ray.io/cluster", cluster);
        labels.put("ray.io/group", group);
        labels.put("ray.io/identifier", cluster + "-" + type);
        labels.put("ray.io/is-ray-node", "yes");
        labels.put("ray.io/node-type", type);
        return labels;
    }
}
