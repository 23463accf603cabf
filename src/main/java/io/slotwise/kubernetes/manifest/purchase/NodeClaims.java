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
 * NodeClaims of Slotwise's own, and the nodes that come of them. A claim has the name of its purchase, the labels of
 * its NodePool, which counts it, and these marks: Karpenter neither disrupts nor expires it, pods of others do not
 * tolerate its taint, and its node says itself what it costs and until when it is kept.
 */
public final class NodeClaims {
    /** The API version that is written. */
    public static final String API_VERSION = "karpenter.sh/v1";

    /** What of a node's labels a claim asks for: Karpenter knows these of every instance type. */
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

    /** The name of its node; empty: it has none yet. */
    public static String node(GenericKubernetesResource claim) {
        return ObjectFields.text(ObjectFields.object(claim, "status"), "nodeName");
    }

    /** Whether Karpenter says that pods can be on its node. */
    public static boolean isInitialized(GenericKubernetesResource claim) {
        return ObjectFields.condition(claim, INITIALIZED).equals("True");
    }

    /**
     * How many seconds after the claim was made pods could be on its node, by the API server's clock and Karpenter's,
     * which tell whole seconds: rounded up. Empty: they cannot yet, or it is not said.
     */
    public static OptionalLong startDelay(GenericKubernetesResource claim) {
        return isInitialized(claim)
                ? ObjectFields.secondsBetween(
                        claim.getMetadata().getCreationTimestamp(), ObjectFields.conditionSince(claim, INITIALIZED))
                : OptionalLong.empty();
    }
}
