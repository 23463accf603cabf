package io.slotwise.testing;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.nodes.OfferReader;
import io.slotwise.kubernetes.manifest.purchase.BoughtNodes;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.kubernetes.manifest.purchase.ProvisioningRequests;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cluster Autoscaler as a replica sees it. A ProvisioningRequest is Provisioned at once. After a delay the group has
 * one more node, or none. A node is removed if it is not kept and no request waits for it.
 */
public final class FakeAutoscaler extends FakeSeller {
    /** The seconds after which an unneeded node is removed. */
    private static final long NEEDLESS = 20;

    private final SortedMap<String, GenericKubernetesResource> requests = new TreeMap<>();
    /** The nodes to come, by the name of their request. The request may be gone. */
    private final SortedMap<String, Coming> waiting = new TreeMap<>();

    private record Coming(CatalogueOffer offer, long since) {}

    private final SortedMap<String, Node> nodes = new TreeMap<>();
    private int made;

    /** Creates an autoscaler that sells these nodes (YAML), each a second before the delay (seconds) has passed. */
    public FakeAutoscaler(String catalogue, long delay) {
        super(catalogue, delay);
    }

    @Override
    public List<String> claims() {
        return List.copyOf(requests.keySet());
    }

    @Override
    public List<String> nodesThere() {
        return List.copyOf(nodes.keySet());
    }

    private static long since(HasMetadata object) {
        return Instant.parse(object.getMetadata().getCreationTimestamp()).getEpochSecond();
    }

    @Override
    public void go() {
        long now = replica().now();
        List.copyOf(waiting.values()).stream()
                .filter(coming -> now >= coming.since() + delay() - 1)
                .forEach(coming -> {
                    waiting.values().remove(coming);
                    make(coming.offer());
                });
        var whose = ProvisioningRequests.nodes(requests.values(), nodes.values());
        List.copyOf(nodes.values()).stream()
                .filter(node -> !ProvisioningRequests.isKept(node)
                        && !whose.containsValue(node.getMetadata().getName())
                        && now >= since(node) + NEEDLESS)
                .forEach(this::remove);
    }

    private void make(CatalogueOffer offer) {
        made++;
        String now = Instant.ofEpochSecond(replica().now()).toString();
        Node node = Serialization.clone(offer.node());
        node.getMetadata().setName("node-" + made);
        node.getMetadata().setUid("uid-node-" + made);
        node.getMetadata().setCreationTimestamp(now);
        node.getMetadata().getLabels().keySet().removeIf(key -> key.startsWith(AnnotationKeys.PREFIX));
        node.getMetadata().setAnnotations(new HashMap<>());
        node.getSpec().getTaints().removeIf(taint -> taint.getKey().equals(AnnotationKeys.BOUGHT));
        node.getStatus()
                .setConditions(List.of(new NodeConditionBuilder()
                        .withType("Ready")
                        .withStatus(isNeverReady() ? "False" : "True")
                        .withLastTransitionTime(now)
                        .build()));
        show(node);
    }

    private void show(Node node) {
        nodes.put(node.getMetadata().getName(), node);
        replica().seeing(Serialization.asJson(node));
    }

    private void show(GenericKubernetesResource request) {
        requests.put(request.getMetadata().getName(), request);
        replica().seeing(Serialization.asJson(request));
    }

    private void remove(Node node) {
        nodes.remove(node.getMetadata().getName());
        replica().missing(Serialization.asJson(node));
    }

    /** The request stays and names the node that it had, or reports that there will be none. */
    @Override
    public void takeAway(String name) {
        GenericKubernetesResource request = Objects.requireNonNull(requests.get(name));
        Node node = nodes.get(ProvisioningRequests.node(request));
        if (node != null) {
            remove(node);
        } else if (waiting.remove(name) != null) {
            conditioned(request, "Failed");
        }
    }

    private void conditioned(GenericKubernetesResource request, String type) {
        request.setAdditionalProperty("status", Map.of("conditions", List.of(Map.of("type", type, "status", "True"))));
        show(request);
    }

    @Override
    void sell(PurchaseOrder order, CatalogueOffer offer, GangId gang) {
        GenericKubernetesResource request = ProvisioningRequests.of(order, offer, nodes.values(), gang, "slotwise");
        request.getMetadata()
                .setCreationTimestamp(Instant.ofEpochSecond(replica().now()).toString());
        boolean isServed = serves(order.offer());
        conditioned(request, isServed ? "Provisioned" : "Failed");
        if (isServed) {
            waiting.put(order.node(), new Coming(offer, replica().now()));
        }
    }

    @Override
    void take(Supplied supplied) {
        Node node = nodes.get(supplied.node());
        if (node != null && ProvisioningRequests.isKept(node)) {
            patched(node, ProvisioningRequests.release(node));
            die("while-giving-up");
        }
        GenericKubernetesResource request = requests.remove(supplied.name());
        if (request != null) {
            replica().missing(Serialization.asJson(request));
        }
    }

    @Override
    public void attend() {
        ProvisioningRequests.nodes(requests.values(), nodes.values()).forEach((name, found) -> {
            GenericKubernetesResource request = Objects.requireNonNull(requests.get(name));
            Node node = nodes.get(found);
            if (node != null && BoughtNodes.purchase(node).isEmpty()) {
                if (ProvisioningRequests.node(request).isEmpty()) {
                    die("before-finding");
                    annotated(request, ProvisioningRequests.finding(request, found));
                }
                die("before-marking");
                patched(node, ProvisioningRequests.marks(request, node));
            }
        });
    }

    private static Map<?, ?> metadata(Map<String, Object> patch) {
        return (Map<?, ?>) Objects.requireNonNull(patch.get("metadata"));
    }

    private static void merge(Map<String, String> into, @Nullable Object more) {
        if (more instanceof Map<?, ?> given) {
            given.forEach((key, value) -> {
                if (value == null) {
                    into.remove(String.valueOf(key));
                } else {
                    into.put(String.valueOf(key), String.valueOf(value));
                }
            });
        }
    }

    private void annotated(GenericKubernetesResource request, Map<String, Object> patch) {
        merge(request.getMetadata().getAnnotations(), metadata(patch).get("annotations"));
        show(request);
    }

    private void patched(Node node, Map<String, Object> patch) {
        merge(node.getMetadata().getLabels(), metadata(patch).get("labels"));
        merge(node.getMetadata().getAnnotations(), metadata(patch).get("annotations"));
        show(node);
    }

    /** Returns the catalogue with the annotations of a node of a node group. */
    public static String grouped(String catalogue) {
        return catalogue
                .replaceAll("name: (\\w+)\\n +labels: \\{", "name: pool.$1\n  labels: {it.slotwise.io/group: $1, ")
                .replace("annotations: {", "annotations: {" + OfferReader.NODE_GROUP + ": it.slotwise.io/group, ");
    }
}
