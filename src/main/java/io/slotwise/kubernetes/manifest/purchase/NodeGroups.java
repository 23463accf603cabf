package io.slotwise.kubernetes.manifest.purchase;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.nodes.OfferReader;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Offers from a cluster's node groups: nodes of the catalogue that state which of their labels names their group. This
 * label is the only request to the autoscaler, and identifies nodes of the group.
 */
public final class NodeGroups {
    private NodeGroups() {}

    public static boolean isOne(Node node) {
        return !key(node).isEmpty();
    }

    private static String key(Node node) {
        return Annotations.text(node, OfferReader.NODE_GROUP);
    }

    /** Returns the catalogue's nodes of node groups, by name. */
    public static List<CatalogueOffer> offers(List<Node> catalogue) {
        return catalogue.stream()
                .filter(NodeGroups::isOne)
                .map(NodeGroups::offer)
                .sorted(Comparator.comparing(CatalogueOffer::name))
                .toList();
    }

    private static CatalogueOffer offer(Node node) {
        Map<String, String> labels = Labels.of(node);
        List<Taint> taints = node.getSpec() == null
                ? List.of()
                : Objects.requireNonNullElse(node.getSpec().getTaints(), List.of());
        Node offeredNode = BoughtNodes.offered(node, node.getMetadata().getName(), labels, taints);
        return new CatalogueOffer(offeredNode, Map.of(), null, NodePools.counted(node), labels.containsKey(key(node)));
    }

    /** Returns the label that names a node's group, as KEY=VALUE. */
    static String label(Node offeredNode) {
        String key = key(offeredNode);
        return key + "=" + offeredNode.getMetadata().getLabels().getOrDefault(key, "");
    }

    static boolean has(Node node, String label) {
        int end = label.lastIndexOf('=');
        return end > 0 && label.substring(end + 1).equals(Labels.find(node, label.substring(0, end)));
    }
}
