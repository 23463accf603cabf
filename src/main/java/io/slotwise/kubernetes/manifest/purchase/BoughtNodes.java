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
 * What nodes that Slotwise has bought say of themselves, whoever makes them: what they cost, until when they are kept,
 * and that pods of others stay away.
 */
public final class BoughtNodes {
    /** After every instant that a plan knows. */
    private static final String FOREVER = "9999-12-31T23:59:59Z";

    /** At no time can a pod begin on such a node. */
    static final String NEVER = Instant.EPOCH + "/" + FOREVER;

    /** As many nodes as the limits allow, where the catalogue does not say how many there are. */
    private static final String MOST = "10000";

    private static final String OFFER = AnnotationKeys.PREFIX + "offer";

    private BoughtNodes() {}

    /** Whether Slotwise has made an object that stands for a purchase. */
    public static boolean isOurs(ObjectMeta object) {
        Map<String, String> labels = object.getLabels();
        return labels != null
                && labels.containsKey(AnnotationKeys.BOUGHT)
                && object.getName().startsWith(PurchaseOrder.PREFIX);
    }

    /** The purchase that a node that is there has come of; empty: none. */
    public static String purchase(Node node) {
        return Labels.of(node).getOrDefault(AnnotationKeys.PURCHASE, "");
    }

    /** What keeps pods of others away. */
    static Taint taint() {
        return new TaintBuilder()
                .withKey(AnnotationKeys.BOUGHT)
                .withValue("true")
                .withEffect("NoSchedule")
                .build();
    }

    /** A node of the catalogue as it is offered. */
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

    /** The labels of a bought node beside those of the cluster. */
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

    /** The node of a purchase that is not there yet: as it will be, and when. */
    public static Node coming(PurchaseOrder order, CatalogueOffer offer) {
        Node node = offer.node();
        Map<String, String> labels = new HashMap<>(node.getMetadata().getLabels());
        labels.putAll(labels(order, node));
        labels.put("kubernetes.io/hostname", order.node());
        // Also before it is bought, which may be tomorrow.
        String away =
                interval(0, Instant.ofEpochSecond(order.ready()).toString()) + "," + interval(order.end(), FOREVER);
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
}
