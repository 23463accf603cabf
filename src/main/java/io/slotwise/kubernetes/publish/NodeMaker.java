package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.live.port.NodeSupplier.Supplied;
import java.net.HttpURLConnection;
import java.util.SortedMap;

/** A way to buy nodes. All calls may fail like those of a client. */
interface NodeMaker {
    boolean offers(CatalogueOffer offer);

    SortedMap<String, Supplied> nodes();

    /**
     * Creates the objects of a purchase; existing ones are kept.
     *
     * @throws KubernetesClientException if they are not known to exist
     */
    void buy(PurchaseOrder order, CatalogueOffer offer, GangId gang);

    /**
     * Deletes the objects of a purchase.
     *
     * @throws KubernetesClientException if they are not known to be gone
     */
    void giveUp(Supplied supplied);

    /**
     * Does what purchases need until pods can run on their nodes.
     *
     * @throws KubernetesClientException if not all of it is known to be done
     */
    default void attend() {}

    /**
     * Creates an object whose name determines its content, unless it exists.
     *
     * @throws KubernetesClientException if it is not known to exist
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
