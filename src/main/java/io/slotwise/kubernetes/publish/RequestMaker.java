package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.nodes.OfferReader;
import io.slotwise.kubernetes.manifest.purchase.BoughtNodes;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.kubernetes.manifest.purchase.ProvisioningRequests;
import io.slotwise.kubernetes.watch.AutoscalerWatch;
import io.slotwise.live.port.NodeSupplier.Supplied;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Buys nodes as Cluster Autoscaler ProvisioningRequests, in Slotwise's own namespace. The pod template is created
 * before its request, which is useless without it. A template without a request is deleted. Once the group has a new
 * node, the request records it first, and then the node gets its marks.
 */
final class RequestMaker implements NodeMaker {
    private static final Logger LOG = Logger.getLogger(RequestMaker.class);

    private final KubernetesClient client;
    private final AutoscalerWatch watch;
    private final String namespace;

    RequestMaker(KubernetesClient client, AutoscalerWatch watch, String namespace) {
        this.client = client;
        this.watch = watch;
        this.namespace = namespace;
    }

    @Override
    public boolean offers(CatalogueOffer offer) {
        return offer.node().getMetadata().getAnnotations().containsKey(OfferReader.NODE_GROUP);
    }

    @Override
    public SortedMap<String, Supplied> nodes() {
        return watch.supplied();
    }

    @Override
    public void buy(PurchaseOrder order, CatalogueOffer offer, GangId gang) {
        List<Node> there = watch.nodes();
        NodeMaker.create(client.resource(ProvisioningRequests.template(order, offer, there, namespace)));
        NodeMaker.create(client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                .inNamespace(namespace)
                .resource(ProvisioningRequests.of(order, offer, there, gang, namespace)));
    }

    @Override
    public void giveUp(Supplied supplied) {
        Node existingNode = watch.node(supplied.node());
        if (existingNode != null && ProvisioningRequests.isKeptFor(existingNode, supplied.name())) {
            write(existingNode, ProvisioningRequests.release(existingNode));
        }
        deleteTemplate(supplied.name());
        client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                .inNamespace(namespace)
                .withName(supplied.name())
                .delete();
    }

    private void deleteTemplate(String name) {
        client.v1().podTemplates().inNamespace(namespace).withName(name).delete();
    }

    @Override
    public void attend() {
        Set<String> needless = new TreeSet<>(watch.templates());
        SortedMap<String, String> whose = ProvisioningRequests.nodes(watch.requests(), watch.nodes());
        for (GenericKubernetesResource request : watch.requests()) {
            String name = request.getMetadata().getName();
            needless.remove(name);
            Node node = watch.node(whose.getOrDefault(name, ""));
            if (node != null
                    && BoughtNodes.purchase(node).isEmpty()
                    && request.getMetadata().getDeletionTimestamp() == null) {
                if (ProvisioningRequests.node(request).isEmpty()) {
                    keep(request, node);
                }
                write(node, ProvisioningRequests.marks(request, node));
            }
        }
        needless.stream().filter(this::isWithoutRequest).forEach(this::deleteTemplate);
    }

    private void keep(GenericKubernetesResource request, Node node) {
        client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                .inNamespace(namespace)
                .withName(request.getMetadata().getName())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(ProvisioningRequests.finding(
                                request, node.getMetadata().getName())));
        LOG.infof(
                "node %s is that of request %s",
                node.getMetadata().getName(), request.getMetadata().getName());
    }

    private void write(Node node, Map<String, Object> patch) {
        try {
            client.nodes()
                    .withName(node.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(patch));
        } catch (KubernetesClientException e) {
            // The node was replaced meanwhile, which is seen soon.
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    /**
     * Returns whether a template has no request. The watch of requests may be behind that of templates, so the API
     * server is asked.
     */
    private boolean isWithoutRequest(String name) {
        return client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                        .inNamespace(namespace)
                        .withName(name)
                        .get()
                == null;
    }
}
