package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.live.port.NodeSupplier.Supplied;
import java.net.HttpURLConnection;
import java.util.SortedMap;

/** How nodes are bought in one place: what stands for a purchase. All calls may fail as those of a client. */
interface NodeMaker {
    /** Whether an offer is to be had here. */
    boolean offers(CatalogueOffer offer);

    SortedMap<String, Supplied> nodes();

    /**
     * Writes the objects of a purchase. What is there already stays.
     *
     * @throws KubernetesClientException if they are not known to be there
     */
    void buy(PurchaseOrder order, CatalogueOffer offer, GangId gang);

    /**
     * Takes the objects of a purchase away.
     *
     * @throws KubernetesClientException if they are not known to be gone
     */
    void giveUp(Supplied supplied);

    /**
     * Does what they need until pods can be on their nodes.
     *
     * @throws KubernetesClientException if not all of it is known to be done
     */
    default void attend() {}

    /**
     * Creates an object whose name says what is in it, unless it is there: then it is the same.
     *
     * @throws KubernetesClientException if it is not known to be there
     */
    static void create(Resource<?> object) {
        try {
            object.create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }
}
