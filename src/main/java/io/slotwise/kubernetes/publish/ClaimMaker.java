package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.kubernetes.manifest.purchase.NodeClaims;
import io.slotwise.kubernetes.watch.KarpenterWatch;
import io.slotwise.live.port.NodeSupplier.Supplied;
import java.util.SortedMap;

/** Buys nodes as Karpenter NodeClaims. */
final class ClaimMaker implements NodeMaker {
    private final KubernetesClient client;
    private final KarpenterWatch watch;

    ClaimMaker(KubernetesClient client, KarpenterWatch watch) {
        this.client = client;
        this.watch = watch;
    }

    @Override
    public boolean offers(CatalogueOffer offer) {
        return !offer.template().isEmpty();
    }

    @Override
    public SortedMap<String, Supplied> nodes() {
        return watch.supplied();
    }

    @Override
    public void buy(PurchaseOrder order, CatalogueOffer offer, GangId gang) {
        GenericKubernetesResource claim = NodeClaims.of(order, offer, gang);
        // Also without an answer, because the claim may exist.
        watch.made(claim);
        NodeMaker.create(
                client.genericKubernetesResources(KarpenterWatch.CLAIMS).resource(claim));
    }

    @Override
    public void giveUp(Supplied supplied) {
        client.genericKubernetesResources(KarpenterWatch.CLAIMS)
                .withName(supplied.name())
                .delete();
    }
}
