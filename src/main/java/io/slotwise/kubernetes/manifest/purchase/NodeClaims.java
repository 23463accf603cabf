package io.slotwise.kubernetes.manifest.purchase;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Slotwise's NodeClaims, and the nodes that result from them. A claim has the name of its purchase and the labels of
 * its NodePool, which counts it. By its marks Karpenter neither disrupts nor expires it, other pods do not tolerate its
 * taint, and its node states its cost and the time until which it is kept.
 */
public final class NodeClaims {
    public static final String API_VERSION = "karpenter.sh/v1";

    /** The labels of a node that a claim requires. Karpenter knows them of every instance type. */
    private static final List<String> ASKED = List.of(
            AnnotationKeys.INSTANCE_TYPE,
            AnnotationKeys.KARPENTER_CAPACITY_TYPE,
            "topology.kubernetes.io/zone",
            "kubernetes.io/arch",
            "kubernetes.io/os");

    private static final String INITIALIZED = "Initialized";

    private NodeClaims() {}

    public static GenericKubernetesResource of(PurchaseOrder order, CatalogueOffer offer, GangId gang) {
        GenericKubernetesResource claim = new GenericKubernetesResource();
        claim.setApiVersion(API_VERSION);
        claim.setKind("NodeClaim");
        Map<String, Object> metadata = ObjectFields.object(offer.template(), "metadata");
        Map<String, String> annotations = ObjectFields.mapping(metadata, "annotations");
        annotations.put("karpenter.sh/do-not-disrupt", "true");
        annotations.putAll(BoughtNodes.annotations(order, gang));
        Map<String, String> labels = ObjectFields.mapping(metadata, "labels");
        labels.put(NodePools.POOL, offer.node().getMetadata().getLabels().get(NodePools.POOL));
        labels.putAll(BoughtNodes.labels(order, offer.node()));
        claim.setMetadata(new ObjectMetaBuilder()
                .withName(order.node())
                .withLabels(labels)
                .withAnnotations(annotations)
                .build());
        claim.setAdditionalProperty("spec", spec(offer));
        return claim;
    }

    private static Map<String, Object> spec(CatalogueOffer offer) {
        Map<String, Object> template = ObjectFields.object(offer.template(), "spec");
        Map<String, String> labels = offer.node().getMetadata().getLabels();
        List<Map<String, Object>> requirements = new ArrayList<>();
        for (Map<String, Object> requirement : ObjectFields.objects(template, "requirements")) {
            if (!ASKED.contains(ObjectFields.text(requirement, "key"))
                    || !labels.containsKey(ObjectFields.text(requirement, "key"))) {
                Map<String, Object> plain = new LinkedHashMap<>(requirement);
                plain.remove("minValues");
                requirements.add(plain);
            }
        }
        ASKED.stream()
                .filter(labels::containsKey)
                .forEach(key -> requirements.add(
                        new TreeMap<>(Map.of("key", key, "operator", "In", "values", List.of(labels.get(key))))));
        List<Object> taints = new ArrayList<>(ObjectFields.objects(template, "taints"));
        Taint ownTaint = BoughtNodes.taint();
        taints.add(Map.of("key", ownTaint.getKey(), "value", ownTaint.getValue(), "effect", ownTaint.getEffect()));
        Map<String, Object> spec = new TreeMap<>();
        spec.put("requirements", requirements);
        spec.put("nodeClassRef", ObjectFields.object(template, "nodeClassRef"));
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

    /** Returns the name of its node, or an empty text. */
    public static String node(GenericKubernetesResource claim) {
        return ObjectFields.text(ObjectFields.object(claim, "status"), "nodeName");
    }

    /** Returns whether Karpenter reports that pods can run on its node. */
    public static boolean isInitialized(GenericKubernetesResource claim) {
        return ObjectFields.condition(claim, INITIALIZED).equals("True");
    }

    /**
     * Returns the seconds from the claim's creation until pods could run on its node, rounded up, because the clocks of
     * the API server and Karpenter state whole seconds. Empty if they cannot yet, or if it is not stated.
     */
    public static OptionalLong startDelay(GenericKubernetesResource claim) {
        return isInitialized(claim)
                ? ObjectFields.secondsBetween(
                        claim.getMetadata().getCreationTimestamp(), ObjectFields.conditionSince(claim, INITIALIZED))
                : OptionalLong.empty();
    }
}
