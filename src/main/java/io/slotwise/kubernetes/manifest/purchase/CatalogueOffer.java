package io.slotwise.kubernetes.manifest.purchase;

import io.fabric8.kubernetes.api.model.Node;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Resources;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of the catalogue that can be had somewhere.
 *
 * @param node as it would be, with the annotations of offers, under the offer's name
 * @param template the {@code spec.template} of its NodePool; empty: it is of a node group
 * @param limit what is left of the NodePool's limits; null: there are none
 * @param resources what one node counts against limits
 * @param open whether it can be bought now: what was bought of it before counts as long as the pool is there
 */
public record CatalogueOffer(
        Node node, Map<String, Object> template, @Nullable PurchaseQuota limit, Resources resources, boolean open) {
    public String name() {
        return node.getMetadata().getName();
    }

    /** An offer that was read from {@link #node}, under the limits here: its own number of nodes holds, too. */
    public NodeOffer under(NodeOffer readOffer) {
        int most = open ? readOffer.quota().nodes() : 0;
        PurchaseQuota quota = limit == null ? readOffer.quota() : limit;
        return new NodeOffer(readOffer.node(), readOffer.billing(), quota, readOffer.hazard(), resources, most);
    }
}
