package io.slotwise.kubernetes.manifest.purchase;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Offers from NodePools for the nodes of a catalogue. A catalogue node is a future Node with the annotations of offers.
 * A pool allows it if all the pool's requirements hold for its labels. A requirement with a single value sets the
 * label; with several values, the catalogue's node has to state it.
 *
 * <p>Three properties of a pool are ignored. The weight does not matter because costs decide, the disruption settings
 * because purchases are not disrupted, and only Karpenter knows whether the node class is ready.
 */
public final class NodePools {
    /** Label of a node: NodePool that it counts against. */
    static final String POOL = "karpenter.sh/nodepool";

    private static final String NODES = "nodes";

    private NodePools() {}

    /**
     * Returns every node of the catalogue under every pool, by name, including those that cannot be bought. O(pools x
     * catalogue).
     */
    public static List<CatalogueOffer> offers(
            List<GenericKubernetesResource> pools, List<GenericKubernetesResource> claims, List<Node> catalogue) {
        List<CatalogueOffer> offers = new ArrayList<>();
        for (GenericKubernetesResource pool : pools) {
            Map<String, Object> spec = ObjectFields.object(pool, "spec");
            boolean isStatic = spec.containsKey("replicas");
            boolean isOpen = pool.getMetadata().getDeletionTimestamp() == null && !isStatic && isReady(pool);
            PurchaseQuota limit = limit(pool, claims);
            catalogue.forEach(node -> offers.add(offer(pool, limit, node, isOpen)));
        }
        offers.sort(Comparator.comparing(CatalogueOffer::name));
        return offers;
    }

    /**
     * Returns whether a pool is ready. One that does not report its readiness was created a moment ago and counts as
     * ready.
     */
    private static boolean isReady(GenericKubernetesResource pool) {
        return !ObjectFields.condition(pool, "Ready").equals("False");
    }

    private static CatalogueOffer offer(
            GenericKubernetesResource pool, @Nullable PurchaseQuota limit, Node node, boolean isOpen) {
        String name = pool.getMetadata().getName();
        Map<String, Object> template = ObjectFields.object(pool, "spec", "template");
        Map<String, Object> spec = ObjectFields.object(template, "spec");
        Map<String, String> labels = new HashMap<>(Labels.of(node));
        labels.putAll(ObjectFields.mapping(ObjectFields.object(template, "metadata"), "labels"));
        boolean allowed = true;
        for (Map<String, Object> requirement : ObjectFields.objects(spec, "requirements")) {
            allowed &= holds(requirement, labels);
        }
        labels.put(POOL, name);
        List<Taint> taints = new ArrayList<>();
        ObjectFields.objects(spec, "taints")
                .forEach(taint -> taints.add(new TaintBuilder()
                        .withKey(ObjectFields.text(taint, "key"))
                        .withValue(ObjectFields.text(taint, "value"))
                        .withEffect(ObjectFields.text(taint, "effect"))
                        .build()));
        Node offeredNode =
                BoughtNodes.offered(node, name + "." + node.getMetadata().getName(), labels, taints);
        return new CatalogueOffer(offeredNode, template, limit, counted(node), isOpen && allowed);
    }

    /** Returns whether a requirement holds, and sets a label from a requirement with a single value. */
    private static boolean holds(Map<String, Object> requirement, Map<String, String> labels) {
        String key = ObjectFields.text(requirement, "key");
        List<String> values = ObjectFields.texts(requirement, "values");
        String operator = ObjectFields.text(requirement, "operator");
        if (operator.equals("In") && values.size() == 1) {
            labels.putIfAbsent(key, values.getFirst());
        }
        String has = labels.get(key);
        return switch (operator) {
            case "Gt" -> isComparable(has, values) && compare(has, values) > 0;
            case "Gte" -> isComparable(has, values) && compare(has, values) >= 0;
            case "Lt" -> isComparable(has, values) && compare(has, values) < 0;
            case "Lte" -> isComparable(has, values) && compare(has, values) <= 0;
            default -> LabelSelectors.holds(operator, values, has);
        };
    }

    private static boolean isNumber(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,18}");
    }

    private static boolean isComparable(@Nullable String has, List<String> values) {
        return isNumber(has) && values.size() == 1 && isNumber(values.getFirst());
    }

    private static int compare(@Nullable String has, List<String> values) {
        return Long.compare(number(has), number(values.getFirst()));
    }

    /**
     * Returns the amounts of one node against limits: the whole capacity, as Karpenter counts, if the catalogue states
     * it.
     */
    static Resources counted(Node node) {
        Map<String, Quantity> capacity =
                node.getStatus() == null ? null : node.getStatus().getCapacity();
        Map<String, Quantity> allocatable =
                node.getStatus() == null ? null : node.getStatus().getAllocatable();
        return amounts(capacity == null || capacity.isEmpty() ? allocatable : capacity);
    }

    private static Resources amounts(@Nullable Map<String, Quantity> quantities) {
        return quantities == null ? Resources.NONE : new QuantityAmounts().offered(quantities, (_, _) -> {});
    }

    /**
     * Returns the rest of a pool's limits after the use that Karpenter reports. Slotwise's own purchases are excluded,
     * because its orders count them. Null without limits.
     */
    private static @Nullable PurchaseQuota limit(
            GenericKubernetesResource pool, List<GenericKubernetesResource> claims) {
        Map<String, String> limits = ObjectFields.mapping(ObjectFields.object(pool, "spec"), "limits");
        if (limits.isEmpty()) {
            return null;
        }
        String name = pool.getMetadata().getName();
        Map<String, String> used = ObjectFields.mapping(ObjectFields.object(pool, "status"), "resources");
        List<GenericKubernetesResource> own = of(name, claims);
        Map<String, Long> left = new TreeMap<>();
        Resources mostResources = amounts(quantities(limits));
        Resources resources = amounts(quantities(used));
        limits.keySet().stream().filter(key -> !key.equals(NODES)).forEach(key -> {
            long ours = own.stream()
                    .mapToLong(claim -> amounts(quantities(capacity(claim))).get(key))
                    .sum();
            left.put(key, Math.max(0, mostResources.get(key) - Math.max(0, resources.get(key) - ours)));
        });
        long nodes = !limits.containsKey(NODES)
                ? Integer.MAX_VALUE
                : number(limits.get(NODES)) - Math.max(0, number(used.get(NODES)) - own.size());
        return new PurchaseQuota("nodepool " + name, Math.clamp(nodes, 0, Integer.MAX_VALUE), Resources.of(left), null);
    }

    /**
     * Returns whether one more node stays within the current limits of its pool. A claim of unknown size counts like
     * this offer.
     */
    public static boolean allows(CatalogueOffer offer, List<GenericKubernetesResource> claims) {
        PurchaseQuota limit = offer.limit();
        if (!offer.open() || limit == null) {
            return offer.open();
        }
        String pool = String.valueOf(offer.node().getMetadata().getLabels().get(POOL));
        List<GenericKubernetesResource> own = of(pool, claims);
        return own.size() < limit.nodes()
                && limit.resources().asMap().entrySet().stream().allMatch(mostEntry -> {
                    long one = offer.resources().get(mostEntry.getKey());
                    long taken = own.stream()
                            .map(NodePools::capacity)
                            .mapToLong(capacity -> capacity.isEmpty()
                                    ? one
                                    : amounts(quantities(capacity)).get(mostEntry.getKey()))
                            .sum();
                    return taken + one <= mostEntry.getValue();
                });
    }

    private static List<GenericKubernetesResource> of(String pool, List<GenericKubernetesResource> claims) {
        return claims.stream()
                .filter(claim -> pool.equals(Labels.find(claim, POOL)))
                .toList();
    }

    private static Map<String, String> capacity(GenericKubernetesResource claim) {
        return ObjectFields.mapping(ObjectFields.object(claim, "status"), "capacity");
    }

    private static Map<String, Quantity> quantities(Map<String, String> texts) {
        Map<String, Quantity> quantities = new HashMap<>();
        texts.forEach((key, text) -> {
            try {
                quantities.put(key, Quantity.parse(text));
            } catch (IllegalArgumentException e) {
                // An unreadable limit counts as zero, so that nothing is bought beyond it.
                quantities.put(key, new Quantity("0"));
            }
        });
        return quantities;
    }

    private static long number(@Nullable String text) {
        return text != null && isNumber(text) ? Long.parseLong(text) : 0;
    }
}
