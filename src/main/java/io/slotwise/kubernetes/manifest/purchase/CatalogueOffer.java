package io.slotwise.kubernetes.manifest.purchase;

import io.fabric8.kubernetes.api.model.Node;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Resources;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of the catalogue that can be bought from a NodePool or a node group.
 *
 * @param node the future node, with the annotations of offers, under the offer's name
 * @param template the {@code spec.template} of its NodePool; empty for a node group
 * @param limit the rest of the NodePool's limits; null without limits
 * @param resources the amounts of one node against the limits
 * @param open whether one more node can be bought now; earlier purchases count while the pool exists
 */
public record CatalogueOffer(
        Node node, Map<String, Object> template, @Nullable PurchaseQuota limit, Resources resources, boolean open) {
    public String name() {
        return node.getMetadata().getName();
    }

    /** Returns the offer that was read from {@link #node}, with these limits in addition to its own number of nodes. */
    public NodeOffer under(NodeOffer readOffer) {
        int most = open ? readOffer.quota().nodes() : 0;
        PurchaseQuota quota = limit == null ? readOffer.quota() : limit;
        return new NodeOffer(readOffer.node(), readOffer.billing(), quota, readOffer.hazard(), resources, most);
    }
}
