package io.slotwise.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Objects as people write them, each with one random mistake: a wrong type, an absurd value, a field that is missing,
 * null or misspelt, a text in another script, or a huge text. An API server accepts the objects without their mistakes.
 */
public final class MutatedObjects {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The namespace of all namespaced objects, except those that limit others in their namespace. */
    public static final String NAMESPACE = "mutated";

    private static final String POD_SPEC = """
            {"schedulerName": "slotwise", "restartPolicy": "Never", "activeDeadlineSeconds": 600,
             "terminationGracePeriodSeconds": 30, "nodeSelector": {"pool": "mutated"},
             "tolerations": [{"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "tolerationSeconds": 5},
              {"operator": "Exists"}],
             "affinity": {
              "nodeAffinity": {
               "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]},
                 {"key": "slots", "operator": "Gt", "values": ["3"]}, {"key": "old", "operator": "DoesNotExist"}]},
                {"matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": ["n1"]}]}]},
               "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 5, "preference": {"matchExpressions": [{"key": "disk", "operator": "Exists"}]}}]},
              "podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
               {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "x"},
                "matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["web"]}]}}]}},
             "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway",
              "labelSelector": {"matchLabels": {"app": "x"}}}],
             "schedulingGates": [{"name": "example.com/gate"}],
             "volumes": [{"name": "scratch", "emptyDir": {}}, {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
             "initContainers": [{"name": "prepare", "image": "busybox", "resources": {"requests": {"cpu": "100m"}}},
              {"name": "side", "image": "busybox", "restartPolicy": "Always"}],
             "containers": [{"name": "main", "image": "busybox",
              "ports": [{"name": "http", "containerPort": 80, "hostPort": 8080, "protocol": "TCP"}],
              "volumeMounts": [{"name": "scratch", "mountPath": "/scratch"}],
              "resources": {"requests": {"cpu": "500m", "memory": "1Gi", "example.com/chip": "1"},
               "limits": {"cpu": "1", "memory": "1Gi", "example.com/chip": "1"}}}]}
            """;

    /**
     * The kinds, each as a template with {@code %1$s} for the name, {@code %2$s} for the pod's specification, and
     * {@code %3$s} for the specification of a pod that always restarts.
     */
    private static final List<String> TEMPLATES = List.of(
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%1$s", "namespace": "mutated",
              "labels": {"app": "x"}, "annotations": {"slotwise.io/runtime": "1h"}}, "spec": %2$s}
            """,
            """
            {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"parallelism": 2, "completions": 2, "completionMode": "Indexed", "backoffLimit": 3,
              "activeDeadlineSeconds": 600, "suspend": false, "ttlSecondsAfterFinished": 60,
              "template": {"metadata": {"labels": {"slotwise.io/gang": "%1$s"}}, "spec": %2$s}}}
            """,
            """
            {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"suspend": false, "ttlSecondsAfterFinished": 60,
              "successPolicy": {"operator": "All", "targetReplicatedJobs": ["worker"]},
              "failurePolicy": {"maxRestarts": 3, "restartStrategy": "Recreate"},
              "network": {"enableDNSHostnames": true, "subdomain": "x"},
              "startupPolicy": {"startupPolicyOrder": "AnyOrder"},
              "coordinator": {"replicatedJob": "driver", "jobIndex": 0, "podIndex": 0},
              "replicatedJobs": [
               {"name": "driver", "template": {"spec": {"parallelism": 1, "completions": 1, "template": {"spec": {
                "schedulerName": "slotwise", "restartPolicy": "Never",
                "containers": [{"name": "main", "image": "busybox"}]}}}}},
               {"name": "worker", "groupName": "workers", "replicas": 2,
                "dependsOn": [{"name": "driver", "status": "Complete"}],
                "template": {"metadata": {"labels": {"app": "x"}}, "spec": {"parallelism": 2, "completions": 2,
                 "completionMode": "Indexed", "backoffLimit": 0,
                 "template": {"metadata": {"labels": {"app": "x"}}, "spec": %2$s}}}}]}}
            """,
            """
            {"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet",
             "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"replicas": 2, "startupPolicy": "LeaderCreated", "networkConfig": {"subdomainPolicy": "Shared"},
              "rolloutStrategy": {"type": "RollingUpdate",
               "rollingUpdateConfiguration": {"maxUnavailable": 1, "maxSurge": "25%%", "partition": 0}},
              "leaderWorkerTemplate": {"size": 2, "restartPolicy": "RecreateGroupOnPodRestart",
               "subGroupPolicy": {"subGroupSize": 2, "subGroupPolicyType": "LeaderWorker"},
               "leaderTemplate": {"metadata": {"labels": {"app": "x"}}, "spec": %3$s},
               "workerTemplate": {"metadata": {"labels": {"app": "x"}}, "spec": %3$s}}}}
            """,
            """
            {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup",
             "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"schedulingPolicy": {"gang": {"minCount": 2}}, "disruptionMode": {"all": {}},
              "workloadRef": {"workloadName": "x", "templateName": "y"}}}
            """,
            """
            {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation",
             "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"hold": {"size": 2, "resources": {"cpu": "1", "memory": "1Gi"}, "runtime": "1h",
              "earliest": "2030-01-01T01:00:00Z", "deadline": "2030-01-02T01:00:00Z", "budget": "20",
              "criterion": "preference", "preferredStart": "2030-01-01T14:00:00Z weight 2",
              "preferredFinish": "2030-01-01T16:00:00Z", "preferredCost": "5 weight 2", "topology": "zone",
              "maxPerNode": 1, "lockstep": true, "nodeSelector": {"pool": "mutated"},
              "tolerations": [{"key": "a", "operator": "Equal", "value": "b", "effect": "NoSchedule"}]}}}
            """,
            """
            {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation",
             "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"hold": {"size": 1,
              "window": {"start": "2030-01-01T02:00:00Z", "end": "2030-01-01T03:00:00Z"}}}}
            """,
            """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%1$s", "labels": {"pool": "mutated",
              "slotwise.io/price": "1"}}, "spec": {"unschedulable": false,
              "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]},
             "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"},
              "conditions": [{"type": "Ready", "status": "True"}]}}
            """,
            """
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "fast", "volumeMode": "Filesystem",
              "resources": {"requests": {"storage": "1Gi"}}}}
            """,
            """
            {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%1$s"},
             "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "fast", "capacity": {"storage": "1Gi"},
              "persistentVolumeReclaimPolicy": "Delete", "csi": {"driver": "example.com", "volumeHandle": "h"},
              "nodeAffinity": {"required": {"nodeSelectorTerms": [
               {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]}}}}
            """,
            """
            {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "%1$s"},
             "provisioner": "example.com", "reclaimPolicy": "Delete", "volumeBindingMode": "WaitForFirstConsumer",
             "allowedTopologies": [{"matchLabelExpressions": [{"key": "zone", "values": ["a"]}]}]}
            """,
            """
            {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"minAvailable": "50%%", "selector": {"matchLabels": {"app": "x"}}}}
            """,
            """
            {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com",
              "allocationMode": "ExactCount", "count": 2}}]}}}
            """,
            """
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%1$s", "labels": {"team": "x"},
              "annotations": {"slotwise.io/budget": "20/month"}}}
            """,
            """
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "%1$s", "namespace": "default"},
             "spec": {"limits": [{"type": "Container", "min": {"cpu": "100m"}, "max": {"cpu": "4", "memory": "8Gi"},
               "default": {"cpu": "2"}, "defaultRequest": {"cpu": "1"}, "maxLimitRequestRatio": {"cpu": "4"}},
              {"type": "PersistentVolumeClaim", "max": {"storage": "10Gi"}}]}}
            """,
            """
            {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "%1$s", "namespace": "default"},
             "spec": {"hard": {"pods": "100", "requests.cpu": "400", "limits.memory": "4Ti",
              "requests.example.com/chip": "50", "count/jobs.batch": "20"}}}
            """,
            """
            {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "%1$s"},
             "value": 1000, "globalDefault": false, "preemptionPolicy": "Never", "description": "x"}
            """,
            """
            {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "%1$s"}, "handler": "kata",
             "overhead": {"podFixed": {"cpu": "250m", "memory": "120Mi"}},
             "scheduling": {"nodeSelector": {"kata": "yes"}, "tolerations": [{"key": "kata", "operator": "Exists"}]}}
            """,
            """
            {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "%1$s"},
             "spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}]}}
            """,
            """
            {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "%1$s"},
             "spec": {"driver": "gpu.example.com", "nodeName": "n1",
              "pool": {"name": "n1", "generation": 1, "resourceSliceCount": 1},
              "devices": [{"name": "gpu-0", "attributes": {"model": {"string": "h100"}, "index": {"int": 0},
                "firmware": {"version": "1.2.3"}}, "capacity": {"memory": {"value": "80Gi"}}}, {"name": "gpu-1"}]}}
            """,
            """
            {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate",
             "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"metadata": {"labels": {"app": "x"}}, "spec": {"devices": {"requests": [{"name": "gpu",
              "exactly": {"deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": 2}}]}}}}
            """,
            """
            {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "%1$s"},
             "spec": {"drivers": [{"name": "example.com", "nodeID": "i", "topologyKeys": ["zone"],
              "allocatable": {"count": 5}}]}}
            """,
            """
            {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"replicas": 3, "strategy": {"type": "Recreate"}, "selector": {"matchLabels": {"app": "x"}},
              "template": {"metadata": {"labels": {"app": "x"}}, "spec": %3$s}}}
            """,
            """
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"replicas": 3, "selector": {"matchLabels": {"app": "x"}},
              "template": {"metadata": {"labels": {"app": "x"}}, "spec": %3$s}}}
            """,
            """
            {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "%1$s", "namespace": "mutated"},
             "spec": {"replicas": 3, "serviceName": "x", "podManagementPolicy": "Parallel",
              "selector": {"matchLabels": {"app": "x"}},
              "template": {"metadata": {"labels": {"app": "x"}}, "spec": %3$s}}}
            """);

    private static final String LASTING = POD_SPEC.replace(
            "\"restartPolicy\": \"Never\", \"activeDeadlineSeconds\": 600,", "\"restartPolicy\": \"Always\",");

    /** The number of templates, from the first, that are drawn most often. */
    private static final int MOST_OFTEN = 7;

    private final Nonsense nonsense;
    private int number;

    public MutatedObjects(long seed) {
        this.nonsense = new Nonsense(seed);
    }

    /**
     * An object with one mistake.
     *
     * @param name the object's name without the mistake
     * @param mistake a description of the mistake
     */
    public record Mutated(ObjectNode object, String name, String mistake) {}

    /** An object of each kind without a mistake. */
    public static List<ObjectNode> honest() {
        List<ObjectNode> honest = new ArrayList<>();
        for (int kind = 0; kind < TEMPLATES.size(); kind++) {
            honest.add(object(kind, "honest-" + kind));
        }
        return honest;
    }

    private static ObjectNode object(int kind, String name) {
        try {
            return (ObjectNode) MAPPER.readTree(TEMPLATES.get(kind).formatted(name, POD_SPEC, LASTING));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The template (%d) must be JSON.".formatted(kind), e);
        }
    }

    /** Returns the next object. Pods, and the objects that make pods and size gangs, come most often. */
    public Mutated next() {
        String name = "m" + number++;
        int kind = nonsense.number(2) > 0 ? nonsense.number(MOST_OFTEN) : nonsense.number(TEMPLATES.size());
        ObjectNode object = object(kind, name);
        List<Place> places = new ArrayList<>();
        places(object, "", places);
        return new Mutated(object, name, mutate(nonsense.pick(places)));
    }

    /** A field or an item: its parent, its key or index, and its path. */
    private record Place(JsonNode parent, String key, int index, String path) {
        JsonNode value() {
            return parent instanceof ObjectNode ? parent.path(key) : parent.path(index);
        }

        void set(JsonNode value) {
            if (parent instanceof ObjectNode object) {
                object.set(key, value);
            } else {
                ((ArrayNode) parent).set(index, value);
            }
        }
    }

    /** Collects all fields and items, except kind and apiVersion, which say what the object is. */
    private static void places(JsonNode node, String path, List<Place> places) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                if (path.isEmpty()
                        && (field.getKey().equals("kind") || field.getKey().equals("apiVersion"))) {
                    continue;
                }
                String at = path + "." + field.getKey();
                places.add(new Place(node, field.getKey(), 0, at));
                places(field.getValue(), at, places);
            }
        } else if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                String at = "%s[%d]".formatted(path, i);
                places.add(new Place(node, "", i, at));
                places(list.get(i), at, places);
            }
        }
    }

    private String mutate(Place place) {
        String was = place.value().toString();
        return switch (nonsense.number(7)) {
            case 0 -> {
                place.set(NODES.nullNode());
                yield place.path + " is null";
            }
            case 1 -> {
                if (place.parent instanceof ObjectNode object) {
                    object.remove(place.key);
                } else {
                    ((ArrayNode) place.parent).remove(place.index);
                }
                yield place.path + " is gone";
            }
            case 2 -> misspell(place);
            case 3 -> {
                JsonNode other = otherType(place.value());
                place.set(other);
                yield "%s is %s and was %s".formatted(place.path, other, was);
            }
            default -> {
                JsonNode absurd = absurd(place.value());
                place.set(absurd);
                yield "%s is %s and was %s".formatted(place.path, brief(absurd), was);
            }
        };
    }

    private String misspell(Place place) {
        if (!(place.parent instanceof ObjectNode object)) {
            place.set(NODES.textNode("x"));
            return place.path + " is x";
        }
        String wrong = nonsense.number(2) == 0
                ? place.key + "s"
                : place.key.length() > 2 ? place.key.substring(0, 1) + place.key.substring(2) : place.key + "e";
        object.set(wrong, object.remove(place.key));
        return "%s is called %s".formatted(place.path, wrong);
    }

    private JsonNode otherType(JsonNode value) {
        List<JsonNode> others = new ArrayList<>(List.of(
                NODES.textNode("text"),
                NODES.numberNode(7),
                NODES.numberNode(new BigDecimal("1.9")),
                NODES.booleanNode(true),
                NODES.arrayNode(),
                NODES.arrayNode().add("a"),
                NODES.objectNode(),
                NODES.objectNode().put("a", "b")));
        others.removeIf(other -> other.getNodeType() == value.getNodeType());
        return nonsense.pick(others);
    }

    private JsonNode absurd(JsonNode value) {
        if (value.isNumber()) {
            return nonsense.pick(List.<JsonNode>of(
                    NODES.numberNode(-1),
                    NODES.numberNode(0),
                    NODES.numberNode(-5),
                    NODES.numberNode(70_000),
                    NODES.numberNode(Integer.MAX_VALUE),
                    NODES.numberNode(1L << 31),
                    NODES.numberNode(Long.MAX_VALUE),
                    NODES.numberNode(Long.MIN_VALUE),
                    NODES.numberNode(BigInteger.TWO.pow(80)),
                    NODES.numberNode(new BigDecimal("80.7"))));
        }
        if (value.isTextual()) {
            return NODES.textNode(nonsense.pick(List.of(
                    "",
                    " ",
                    "-1",
                    "0",
                    "1",
                    "x",
                    "Always",
                    "Sometimes",
                    "NoSchedule",
                    "In",
                    "not_a_label!",
                    "UPPER",
                    "a.b",
                    "a/b/c",
                    "1e400",
                    "1.5.5",
                    "10Zi",
                    "-5",
                    "\u0661\u0662",
                    "\u00fcber",
                    "\ud83d\ude00",
                    "a\u202eb",
                    "a\nb",
                    "x".repeat(64),
                    "y".repeat(254),
                    "9".repeat(70))));
        }
        if (value instanceof ArrayNode list && !list.isEmpty()) {
            ArrayNode changed = list.deepCopy();
            return switch (nonsense.number(3)) {
                case 0 -> changed.add(list.get(0).deepCopy());
                case 1 -> changed.add(NODES.nullNode());
                default -> NODES.arrayNode();
            };
        }
        if (value instanceof ObjectNode fields) {
            ObjectNode changed = fields.deepCopy();
            return nonsense.number(2) == 0
                    ? changed.put(nonsense.pick(List.of("extra", "a b", "\u0661", "UPPER", "")), "x")
                    : NODES.objectNode();
        }
        return NODES.textNode("yes");
    }

    private static String brief(JsonNode value) {
        String text = value.toString();
        return text.length() > 200 ? text.substring(0, 200) + "..." : text;
    }
}
