package io.slotwise.kubernetes.manifest.purchase;

import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.api.model.PodTemplateBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Annotations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Slotwise's ProvisioningRequests, one for each node, and the nodes that result from them. A request has the name of
 * its purchase. So has its PodTemplate: one pod that fills a node of the group and fits on no existing node, because
 * free room may be promised. The autoscaler's {@code Provisioned} condition only means that there is room, which it
 * reserves for ten minutes. A purchase is complete when the group has a new node. The request keeps the assignment, and
 * the node gets the marks that the request carries.
 */
public final class ProvisioningRequests {
    public static final String API_VERSION = "autoscaling.x-k8s.io/v1";

    private static final String CLASS = "best-effort-atomic-scale-up.autoscaling.x-k8s.io";

    /** Annotation of a request: node that resulted from it. */
    private static final String NODE = AnnotationKeys.PREFIX + "node";

    /**
     * Annotation of a request: youngest nodes of the group that existed before it, by name. The API server states whole
     * seconds, so one of them may look as if it came with the request.
     */
    private static final String BEFORE = AnnotationKeys.PREFIX + "nodes-before";

    /** Annotation of a node that its autoscaler does not remove. */
    private static final String KEPT = "cluster-autoscaler.kubernetes.io/scale-down-disabled";

    private static final Set<String> OF_PODS = Set.of("cpu", "memory", "ephemeral-storage");

    private ProvisioningRequests() {}

    public static GenericKubernetesResource of(
            PurchaseOrder order, CatalogueOffer offer, Collection<Node> nodes, GangId gang, String namespace) {
        GenericKubernetesResource request = new GenericKubernetesResource();
        request.setApiVersion(API_VERSION);
        request.setKind("ProvisioningRequest");
        request.setMetadata(new ObjectMetaBuilder(metadata(order, offer, namespace))
                .withAnnotations(BoughtNodes.annotations(order, gang))
                .addToAnnotations(AnnotationKeys.NODE_GROUP, NodeGroups.label(offer.node()))
                .addToAnnotations(BEFORE, youngest(nodes, NodeGroups.label(offer.node())))
                .build());
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("provisioningClassName", CLASS);
        spec.put("parameters", Map.of("ValidUntilSeconds", Long.toString(Math.max(1, order.ready() - order.bought()))));
        spec.put("podSets", List.of(Map.of("count", 1, "podTemplateRef", Map.of("name", order.node()))));
        request.setAdditionalProperty("spec", spec);
        return request;
    }

    private static String youngest(Collection<Node> nodes, String group) {
        TreeMap<String, List<String>> bySecond = new TreeMap<>();
        nodes.stream()
                .filter(node -> NodeGroups.has(node, group))
                .forEach(node -> bySecond.computeIfAbsent(made(node.getMetadata()), _ -> new ArrayList<>())
                        .add(node.getMetadata().getName()));
        return bySecond.isEmpty()
                ? ""
                : bySecond.lastEntry().getValue().stream().sorted().collect(Collectors.joining(","));
    }

    private static ObjectMeta metadata(PurchaseOrder order, CatalogueOffer offer, String namespace) {
        return new ObjectMetaBuilder()
                .withName(order.node())
                .withNamespace(namespace)
                .withLabels(BoughtNodes.labels(order, offer.node()))
                .build();
    }

    /** Returns the pod for which the node is requested. */
    public static PodTemplate template(
            PurchaseOrder order, CatalogueOffer offer, Collection<Node> nodes, String namespace) {
        Node node = offer.node();
        String group = NodeGroups.label(node);
        int end = group.lastIndexOf('=');
        Map<String, Quantity> amounts = new TreeMap<>(node.getStatus().getAllocatable());
        amounts.keySet().removeIf(resource -> !OF_PODS.contains(resource) && !resource.contains("/"));
        List<String> taken = nodes.stream()
                .filter(one -> NodeGroups.has(one, group))
                .map(ProvisioningRequests::hostname)
                .sorted()
                .toList();
        var pod = new PodTemplateBuilder()
                .withMetadata(metadata(order, offer, namespace))
                .withNewTemplate()
                .withNewSpec()
                .addToNodeSelector(group.substring(0, end), group.substring(end + 1))
                .withTolerations(node.getSpec().getTaints().stream()
                        .map(ProvisioningRequests::tolerating)
                        .toList())
                .addNewContainer()
                .withName("node")
                .withImage("none")
                .withNewResources()
                .withRequests(amounts)
                .endResources()
                .endContainer();
        if (!taken.isEmpty()) {
            pod.withAffinity(new AffinityBuilder()
                    .withNewNodeAffinity()
                    .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                    .addNewNodeSelectorTerm()
                    .withMatchExpressions(new NodeSelectorRequirementBuilder()
                            .withKey("kubernetes.io/hostname")
                            .withOperator("NotIn")
                            .withValues(taken)
                            .build())
                    .endNodeSelectorTerm()
                    .endRequiredDuringSchedulingIgnoredDuringExecution()
                    .endNodeAffinity()
                    .build());
        }
        return pod.endSpec().endTemplate().build();
    }

    private static String hostname(Node node) {
        return node.getMetadata()
                .getLabels()
                .getOrDefault("kubernetes.io/hostname", node.getMetadata().getName());
    }

    private static Toleration tolerating(Taint taint) {
        return new TolerationBuilder()
                .withKey(taint.getKey())
                .withOperator("Exists")
                .withEffect(taint.getEffect())
                .build();
    }

    /** Returns the node that the request keeps, or an empty text. */
    public static String node(GenericKubernetesResource request) {
        return Annotations.text(request, NODE);
    }

    /** Returns whether the autoscaler has given up a request. */
    public static boolean hasFailed(GenericKubernetesResource request) {
        return Stream.of("Failed", "CapacityRevoked")
                .anyMatch(type -> ObjectFields.condition(request, type).equals("True"));
    }

    /**
     * Returns the node of each purchase, by the purchase's name: the node that the request keeps, else the oldest new
     * node of its group for the oldest request without one. Ties go by name. A node that existed before its request,
     * that Slotwise has marked, or that is being removed belongs to no purchase. O(requests x nodes).
     */
    public static SortedMap<String, String> nodes(
            Collection<GenericKubernetesResource> requests, Collection<Node> nodes) {
        SortedMap<String, String> whose = new TreeMap<>();
        requests.stream()
                .filter(request -> !node(request).isEmpty())
                .forEach(request -> whose.put(request.getMetadata().getName(), node(request)));
        Set<String> taken = new HashSet<>(whose.values());
        requests.stream()
                .filter(request -> node(request).isEmpty()
                        && !hasFailed(request)
                        && request.getMetadata().getDeletionTimestamp() == null)
                .sorted(Comparator.comparing((GenericKubernetesResource request) -> made(request.getMetadata()))
                        .thenComparing(request -> request.getMetadata().getName()))
                .forEach(request -> {
                    Set<String> others = new HashSet<>(taken);
                    others.addAll(List.of(Annotations.text(request, BEFORE).split(",")));
                    nodes.stream()
                            .filter(node -> !others.contains(node.getMetadata().getName()) && isFor(request, node))
                            .min(Comparator.comparing((Node node) -> made(node.getMetadata()))
                                    .thenComparing(node -> node.getMetadata().getName()))
                            .ifPresent(node -> {
                                taken.add(node.getMetadata().getName());
                                whose.put(
                                        request.getMetadata().getName(),
                                        node.getMetadata().getName());
                            });
                });
        return whose;
    }

    private static boolean isFor(GenericKubernetesResource request, Node node) {
        return NodeGroups.has(node, Annotations.text(request, AnnotationKeys.NODE_GROUP))
                && BoughtNodes.purchase(node).isEmpty()
                && node.getMetadata().getDeletionTimestamp() == null
                && made(node.getMetadata()).compareTo(made(request.getMetadata())) >= 0;
    }

    /**
     * Returns the creation time in RFC 3339, UTC and whole seconds, as the API server writes it. Such texts sort by
     * time.
     */
    private static String made(ObjectMeta object) {
        return Objects.requireNonNullElse(object.getCreationTimestamp(), "");
    }

    /** Returns whether a node resulted from a request. */
    public static boolean wasFound(Node node) {
        return !BoughtNodes.purchase(node).isEmpty()
                && !Annotations.text(node, AnnotationKeys.NODE_GROUP).isEmpty();
    }

    public static boolean isKept(Node node) {
        return "true".equals(Annotations.text(node, KEPT));
    }

    /** Returns whether a node has the marks of this purchase and is kept by its autoscaler. */
    public static boolean isKeptFor(Node node, String purchase) {
        return isKept(node) && BoughtNodes.purchase(node).equals(purchase);
    }

    /** Returns the merge patch of a request, as it was read, that records its node. */
    public static Map<String, Object> finding(GenericKubernetesResource request, String node) {
        return Map.of(
                "metadata",
                Map.of(
                        "resourceVersion",
                        String.valueOf(request.getMetadata().getResourceVersion()),
                        "annotations",
                        Map.of(NODE, node)));
    }

    /** Returns the merge patch of that node, as it was read, with the marks. */
    public static Map<String, Object> marks(GenericKubernetesResource request, Node node) {
        Map<String, String> annotations = new HashMap<>();
        for (String key : List.of(AnnotationKeys.UNAVAILABLE, AnnotationKeys.BOUGHT_FOR, AnnotationKeys.NODE_GROUP)) {
            annotations.put(key, Annotations.text(request, key));
        }
        annotations.put(KEPT, "true");
        List<Taint> taints = new ArrayList<>();
        if (node.getSpec() != null && node.getSpec().getTaints() != null) {
            taints.addAll(node.getSpec().getTaints());
        }
        taints.add(BoughtNodes.taint());
        return Map.of(
                "metadata",
                Map.of(
                        "uid",
                        node.getMetadata().getUid(),
                        "resourceVersion",
                        String.valueOf(node.getMetadata().getResourceVersion()),
                        "labels",
                        request.getMetadata().getLabels(),
                        "annotations",
                        annotations),
                "spec",
                Map.of("taints", taints));
    }

    /** Returns the patch of a node that is no longer needed: its autoscaler may remove it, and no pod begins there. */
    public static Map<String, Object> release(Node node) {
        Map<String, @Nullable String> annotations = new HashMap<>();
        annotations.put(KEPT, null);
        annotations.put(AnnotationKeys.UNAVAILABLE, BoughtNodes.NEVER);
        return Map.of("metadata", Map.of("uid", node.getMetadata().getUid(), "annotations", annotations));
    }

    /**
     * Returns the seconds from the request's creation until the node was ready, rounded up, because the clocks of the
     * API server and the kubelet state whole seconds. Empty if it is not ready, or if it is not stated.
     */
    public static OptionalLong startDelay(GenericKubernetesResource request, Node node) {
        if (node.getStatus() == null || node.getStatus().getConditions() == null) {
            return OptionalLong.empty();
        }
        return node.getStatus().getConditions().stream()
                .filter(condition -> "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()))
                .map(condition -> ObjectFields.secondsBetween(
                        request.getMetadata().getCreationTimestamp(), condition.getLastTransitionTime()))
                .findFirst()
                .orElse(OptionalLong.empty());
    }
}
