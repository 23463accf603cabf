package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.slotwise.kubernetes.manifest.purchase.BoughtNodes;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.kubernetes.manifest.purchase.NodeGroups;
import io.slotwise.kubernetes.manifest.purchase.ProvisioningRequests;
import io.slotwise.live.port.NodeSupplier.State;
import io.slotwise.live.port.NodeSupplier.Supplied;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A watch of the node groups that Cluster Autoscaler can enlarge, and of Slotwise's requests to it. */
public final class AutoscalerWatch implements PurchaseWatch.Source {
    /** The kind of requests to the autoscaler. */
    public static final ResourceDefinitionContext REQUESTS = new ResourceDefinitionContext.Builder()
            .withGroup("autoscaling.x-k8s.io")
            .withVersion("v1")
            .withKind("ProvisioningRequest")
            .withPlural("provisioningrequests")
            .withNamespaced(true)
            .build();

    private final Reflector<GenericKubernetesResource> requestReflector;
    private final Reflector<PodTemplate> templateReflector;
    private final Reflector<Node> nodeReflector;
    private final List<CatalogueOffer> offers;

    /**
     * @param catalogue future nodes, including those of node groups
     */
    AutoscalerWatch(
            Reflector<GenericKubernetesResource> requestReflector,
            Reflector<PodTemplate> templateReflector,
            Reflector<Node> nodeReflector,
            List<Node> catalogue) {
        this.requestReflector = requestReflector;
        this.templateReflector = templateReflector;
        this.nodeReflector = nodeReflector;
        this.offers = NodeGroups.offers(catalogue);
    }

    @Override
    public Stream<Reflector<?>> reflectors() {
        return Stream.of(requestReflector, templateReflector);
    }

    @Override
    public String component() {
        return "ProvisioningRequests (autoscaling.x-k8s.io/v1)";
    }

    @Override
    public boolean isAsked() {
        return !offers.isEmpty();
    }

    @Override
    public List<CatalogueOffer> offers() {
        return offers;
    }

    @Override
    public boolean allows(CatalogueOffer offer) {
        return offer.open();
    }

    public List<GenericKubernetesResource> requests() {
        return requestReflector.list().stream()
                .filter(request -> BoughtNodes.isOurs(request.getMetadata()))
                .toList();
    }

    /** Returns the names of the pod templates of these requests. */
    public List<String> templates() {
        return templateReflector.list().stream()
                .map(PodTemplate::getMetadata)
                .filter(BoughtNodes::isOurs)
                .map(template -> template.getName())
                .toList();
    }

    public List<Node> nodes() {
        return nodeReflector.list();
    }

    public @Nullable Node node(String name) {
        return nodeReflector.get(name);
    }

    @Override
    public SortedMap<String, Supplied> supplied() {
        SortedMap<String, Supplied> supplied = new TreeMap<>();
        List<GenericKubernetesResource> ours = requests();
        // A node without its request is identified by its marks.
        nodeReflector.list().stream()
                .filter(ProvisioningRequests::wasFound)
                .forEach(node -> supplied.put(
                        BoughtNodes.purchase(node),
                        new Supplied(
                                BoughtNodes.purchase(node),
                                node.getMetadata().getUid(),
                                node.getMetadata().getName(),
                                left(node),
                                OptionalLong.empty())));
        SortedMap<String, String> whose = ProvisioningRequests.nodes(ours, nodeReflector.list());
        for (GenericKubernetesResource request : ours) {
            String name = request.getMetadata().getName();
            Node node = nodeReflector.get(whose.getOrDefault(name, ""));
            supplied.put(
                    name,
                    new Supplied(
                            name,
                            String.valueOf(request.getMetadata().getUid()),
                            whose.getOrDefault(name, ""),
                            state(request, node),
                            node == null ? OptionalLong.empty() : ProvisioningRequests.startDelay(request, node)));
        }
        return supplied;
    }

    private static State left(Node node) {
        return !ProvisioningRequests.isKept(node)
                ? State.LEAVING
                : ChangeFilter.usable(node) ? State.READY : State.COMING;
    }

    private static State state(GenericKubernetesResource request, @Nullable Node node) {
        if (request.getMetadata().getDeletionTimestamp() != null) {
            return State.LEAVING;
        }
        if (node == null) {
            return ProvisioningRequests.hasFailed(request)
                            || !ProvisioningRequests.node(request).isEmpty()
                    ? State.GONE
                    : State.COMING;
        }
        boolean isMarked =
                ProvisioningRequests.isKeptFor(node, request.getMetadata().getName());
        return isMarked && ChangeFilter.usable(node) ? State.READY : State.COMING;
    }
}
