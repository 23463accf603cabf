package io.slotwise.kubernetes.manifest.karpenter;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Money;
import io.slotwise.core.provision.Headroom;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * NodeClaims of Slotwise's own, and the nodes that come of them. A claim has the name of its purchase, the labels of
 * its NodePool, which counts it, and these marks: Karpenter neither disrupts nor expires it, pods of others do not
 * tolerate its taint, and its node says itself what it costs and until when it is kept.
 */
public final class NodeClaims {
    /** The API version that is written. */
    public static final String API_VERSION = "karpenter.sh/v1";

    /** After every instant that a plan knows. */
    private static final String FOREVER = "9999-12-31T23:59:59Z";

    /** What of a node's labels a claim asks for: Karpenter knows these of every instance type. */
    private static final List<String> ASKED = List.of(
            AnnotationKeys.INSTANCE_TYPE,
            AnnotationKeys.KARPENTER_CAPACITY_TYPE,
            "topology.kubernetes.io/zone",
            "kubernetes.io/arch",
            "kubernetes.io/os");

    private static final String INITIALIZED = "Initialized";

    private NodeClaims() {}

    /** What keeps pods of others away. */
    static Taint taint() {
        return new TaintBuilder()
                .withKey(AnnotationKeys.BOUGHT)
                .withValue("true")
                .withEffect("NoSchedule")
                .build();
    }

    /** The NodeClaim of a purchase. */
    public static GenericKubernetesResource of(PurchaseOrder order, PoolOffer offer, GangId gang) {
        GenericKubernetesResource claim = new GenericKubernetesResource();
        claim.setApiVersion(API_VERSION);
        claim.setKind("NodeClaim");
        Map<String, Object> metadata = KarpenterFields.object(offer.pool(), "metadata");
        Map<String, String> annotations = KarpenterFields.mapping(metadata, "annotations");
        annotations.put("karpenter.sh/do-not-disrupt", "true");
        annotations.put(AnnotationKeys.UNAVAILABLE, interval(order.end(), FOREVER));
        annotations.put(AnnotationKeys.BOUGHT_FOR, Headroom.words(gang));
        Map<String, String> labels = KarpenterFields.mapping(metadata, "labels");
        labels.putAll(marks(order, offer.node()));
        claim.setMetadata(new ObjectMetaBuilder()
                .withName(order.node())
                .withLabels(labels)
                .withAnnotations(annotations)
                .build());
        claim.setAdditionalProperty("spec", spec(offer));
        return claim;
    }

    private static Map<String, String> marks(PurchaseOrder order, Node node) {
        Map<String, String> marks = new HashMap<>();
        marks.put(NodePools.POOL, node.getMetadata().getLabels().get(NodePools.POOL));
        marks.put(AnnotationKeys.BOUGHT, "true");
        marks.put(AnnotationKeys.PURCHASE, order.node());
        marks.put(AnnotationKeys.PRICE, new Money(order.price()).toString());
        AnnotationKeys.NODE_LABELS.stream()
                .filter(key -> !key.equals(AnnotationKeys.PRICE))
                .forEach(key -> {
                    String value = node.getMetadata().getLabels().get(key);
                    if (value != null) {
                        marks.put(key, value);
                    }
                });
        return marks;
    }

    private static Map<String, Object> spec(PoolOffer offer) {
        Map<String, Object> template = KarpenterFields.object(offer.pool(), "spec");
        Map<String, String> labels = offer.node().getMetadata().getLabels();
        List<Map<String, Object>> requirements = new ArrayList<>();
        for (Map<String, Object> requirement : KarpenterFields.objects(template, "requirements")) {
            if (!ASKED.contains(KarpenterFields.text(requirement, "key"))
                    || !labels.containsKey(KarpenterFields.text(requirement, "key"))) {
                Map<String, Object> plain = new LinkedHashMap<>(requirement);
                plain.remove("minValues");
                requirements.add(plain);
            }
        }
        ASKED.stream()
                .filter(labels::containsKey)
                .forEach(key -> requirements.add(
                        new TreeMap<>(Map.of("key", key, "operator", "In", "values", List.of(labels.get(key))))));
        List<Object> taints = new ArrayList<>(KarpenterFields.objects(template, "taints"));
        Taint own = taint();
        taints.add(Map.of("key", own.getKey(), "value", own.getValue(), "effect", own.getEffect()));
        Map<String, Object> spec = new TreeMap<>();
        spec.put("requirements", requirements);
        spec.put("nodeClassRef", KarpenterFields.object(template, "nodeClassRef"));
        spec.put("taints", taints);
        spec.put("expireAfter", "Never");
        for (String field : List.of("startupTaints", "terminationGracePeriod")) {
            Object value = template.get(field);
            if (value != null) {
                spec.put(field, value);
            }
        }
        return spec;
    }

    /** The node of a purchase that is not there yet: as it will be, and when. */
    public static Node coming(PurchaseOrder order, PoolOffer offer) {
        Node node = offer.node();
        Map<String, String> labels = new HashMap<>(node.getMetadata().getLabels());
        labels.putAll(marks(order, node));
        labels.put("kubernetes.io/hostname", order.node());
        String away = interval(order.end(), FOREVER);
        if (order.bought() < order.ready()) {
            away = interval(order.bought(), Instant.ofEpochSecond(order.ready()).toString()) + "," + away;
        }
        return new NodeBuilder(node)
                .withNewMetadata()
                .withName(order.node())
                .withUid(order.node())
                .withLabels(labels)
                .addToAnnotations(AnnotationKeys.UNAVAILABLE, away)
                .endMetadata()
                .build();
    }

    private static String interval(long start, String end) {
        return Instant.ofEpochSecond(start) + "/" + end;
    }

    /** Whether Slotwise has made it. */
    public static boolean isOurs(GenericKubernetesResource claim) {
        Map<String, String> labels = claim.getMetadata().getLabels();
        return labels != null
                && labels.containsKey(AnnotationKeys.BOUGHT)
                && claim.getMetadata().getName().startsWith(PurchaseOrder.PREFIX);
    }

    /** The name of its node; empty: it has none yet. */
    public static String node(GenericKubernetesResource claim) {
        return KarpenterFields.text(KarpenterFields.object(claim, "status"), "nodeName");
    }

    /** Whether Karpenter says that pods can be on its node. */
    public static boolean isInitialized(GenericKubernetesResource claim) {
        return KarpenterFields.condition(claim, INITIALIZED).equals("True");
    }

    /**
     * How many seconds after the claim was made pods could be on its node, by the API server's clock and Karpenter's,
     * which tell whole seconds: rounded up. Empty: they cannot yet, or it is not said.
     */
    public static OptionalLong startDelay(GenericKubernetesResource claim) {
        String made = claim.getMetadata().getCreationTimestamp();
        String since = KarpenterFields.conditionSince(claim, INITIALIZED);
        if (!isInitialized(claim) || made == null || since.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long seconds =
                    Duration.between(Instant.parse(made), Instant.parse(since)).toSeconds();
            return OptionalLong.of(Math.max(0, seconds) + 1);
        } catch (DateTimeException | ArithmeticException e) {
            return OptionalLong.empty();
        }
    }
}
