package io.slotwise.kubernetes.manifest.purchase;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Money;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.Labels;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The marks of nodes that Slotwise has bought, by any provisioner: cost, the time until which they are kept, and the
 * taint against other pods.
 */
public final class BoughtNodes {
    /** Later than any instant of a plan. */
    private static final String FOREVER = "9999-12-31T23:59:59Z";

    /** The unavailable time of a node on which no pod may begin. */
    static final String NEVER = Instant.EPOCH + "/" + FOREVER;

    /** The number of nodes if the catalogue states none; only limits apply then. */
    private static final String MOST = "10000";

    private static final String OFFER = AnnotationKeys.PREFIX + "offer";

    private BoughtNodes() {}

    /** Returns whether Slotwise has made an object that stands for a purchase. */
    public static boolean isOurs(ObjectMeta object) {
        Map<String, String> labels = object.getLabels();
        return labels != null
                && labels.containsKey(AnnotationKeys.BOUGHT)
                && object.getName().startsWith(PurchaseOrder.PREFIX);
    }

    /** Returns the purchase of an existing node, or an empty text. */
    public static String purchase(Node node) {
        return Labels.of(node).getOrDefault(AnnotationKeys.PURCHASE, "");
    }

    static Taint taint() {
        return new TaintBuilder()
                .withKey(AnnotationKeys.BOUGHT)
                .withValue("true")
                .withEffect("NoSchedule")
                .build();
    }

    static Node offered(Node node, String name, Map<String, String> labels, List<Taint> taints) {
        return new NodeBuilder(node)
                .editMetadata()
                .withName(name)
                .withLabels(labels)
                .addToLabels(AnnotationKeys.BOUGHT, "true")
                .addToAnnotations(count(node))
                .endMetadata()
                .editOrNewSpec()
                .withTaints(taints)
                .addToTaints(taint())
                .endSpec()
                .build();
    }

    private static Map<String, String> count(Node node) {
        return Annotations.of(node).containsKey(OFFER) ? Map.of() : Map.of(OFFER, MOST);
    }

    static Map<String, String> labels(PurchaseOrder order, Node offeredNode) {
        Map<String, String> marks = new HashMap<>();
        marks.put(AnnotationKeys.BOUGHT, "true");
        marks.put(AnnotationKeys.PURCHASE, order.node());
        marks.put(AnnotationKeys.PRICE, new Money(order.price()).toString());
        AnnotationKeys.NODE_LABELS.stream()
                .filter(key -> !key.equals(AnnotationKeys.PRICE))
                .forEach(key -> {
                    String value = offeredNode.getMetadata().getLabels().get(key);
                    if (value != null) {
                        marks.put(key, value);
                    }
                });
        return marks;
    }

    static Map<String, String> annotations(PurchaseOrder order, GangId gang) {
        return Map.of(
                AnnotationKeys.UNAVAILABLE, interval(order.end(), FOREVER), AnnotationKeys.BOUGHT_FOR, gang.toString());
    }

    /** Returns the future node of a purchase, with its labels and the time at which it is available. */
    public static Node coming(PurchaseOrder order, CatalogueOffer offer) {
        Node node = offer.node();
        Map<String, String> labels = new HashMap<>(node.getMetadata().getLabels());
        labels.putAll(labels(order, node));
        labels.put("kubernetes.io/hostname", order.node());
        // The node is also unavailable before it is bought, which may be tomorrow.
        String unavailable =
                interval(0, Instant.ofEpochSecond(order.ready()).toString()) + "," + interval(order.end(), FOREVER);
        return new NodeBuilder(node)
                .withNewMetadata()
                .withName(order.node())
                .withUid(order.node())
                .withLabels(labels)
                .addToAnnotations(AnnotationKeys.UNAVAILABLE, unavailable)
                .endMetadata()
                .build();
    }

    private static String interval(long start, String end) {
        return Instant.ofEpochSecond(start) + "/" + end;
    }
}
