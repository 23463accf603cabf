package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.purchase.BoughtNodes;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.kubernetes.manifest.purchase.NodeGroups;
import io.slotwise.live.port.NodeSupplier.State;
import io.slotwise.live.port.NodeSupplier.Supplied;
import io.slotwise.live.record.GangRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The offers and purchases of all sources of nodes, as their watches have delivered them. */
public final class PurchaseWatch {
    private final KarpenterWatch karpenter;
    private final @Nullable AutoscalerWatch autoscaler;
    private final List<Source> sources;
    /** The last computed future nodes: the same objects as long as nothing has changed. */
    private final Map<PurchaseOrder, FutureNode> futureNodes = new HashMap<>();

    /** A source from which nodes can be bought. Its state comes from watches. */
    interface Source {
        Stream<Reflector<?>> reflectors();

        /** Returns the component that has to be installed for this source, such as Karpenter. */
        String component();

        /** Returns whether the catalogue has nodes for this source. */
        boolean isAsked();

        /** Returns all current offers, whether or not they can be bought. */
        List<CatalogueOffer> offers();

        /** Returns whether one more node stays within all limits. */
        boolean allows(CatalogueOffer offer);

        /** Returns Slotwise's purchases from this source, by name. */
        SortedMap<String, Supplied> supplied();

        /** Returns whether everything of this source has been read and is readable. */
        default boolean isServed() {
            return reflectors().allMatch(reflector -> reflector.hasSynced() && !reflector.isWithheld());
        }

        /** Returns whether the source is known to be absent. */
        default boolean isAbsent() {
            return reflectors().anyMatch(Reflector::isWithheld);
        }
    }

    /** A future node, and the offer that it was made from. */
    private record FutureNode(CatalogueOffer offer, Node node) {}

    /**
     * @param autoscaler null if the catalogue has no node of a node group
     */
    PurchaseWatch(KarpenterWatch karpenter, @Nullable AutoscalerWatch autoscaler) {
        this.karpenter = karpenter;
        this.autoscaler = autoscaler;
        this.sources = autoscaler == null ? List.of(karpenter) : List.of(karpenter, autoscaler);
    }

    /**
     * Creates the watches for a catalogue.
     *
     * @param namespace the namespace of Slotwise's ProvisioningRequests
     */
    static PurchaseWatch of(
            KubernetesClient client,
            OptionalWatches.Reflectors reflectors,
            List<Node> catalogue,
            String namespace,
            Reflector<Node> nodeReflector) {
        KarpenterWatch karpenter = new KarpenterWatch(
                reflectors.of(
                        "nodepools",
                        client.genericKubernetesResources(KarpenterWatch.POOLS).inAnyNamespace(),
                        (_, _) -> true),
                reflectors.of(
                        "nodeclaims",
                        client.genericKubernetesResources(KarpenterWatch.CLAIMS).inAnyNamespace(),
                        (_, _) -> true),
                catalogue,
                nodeReflector::get);
        AutoscalerWatch autoscaler = catalogue.stream().anyMatch(NodeGroups::isOne)
                ? new AutoscalerWatch(
                        reflectors.of(
                                "provisioningrequests",
                                client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                                        .inNamespace(namespace),
                                (_, _) -> true),
                        reflectors.of(
                                "podtemplates",
                                client.resources(PodTemplate.class).inNamespace(namespace),
                                (_, _) -> true),
                        nodeReflector,
                        catalogue)
                : null;
        return new PurchaseWatch(karpenter, autoscaler);
    }

    public KarpenterWatch karpenter() {
        return karpenter;
    }

    /** Returns the node groups of the cluster's autoscaler. Null if the catalogue has none. */
    public @Nullable AutoscalerWatch autoscaler() {
        return autoscaler;
    }

    Stream<Reflector<?>> reflectors() {
        return sources.stream().flatMap(Source::reflectors);
    }

    /**
     * Returns whether the sources that the catalogue uses have been read. A source that the cluster does not serve does
     * not matter, but at least one must be served.
     */
    public boolean isServed() {
        return sources.stream().filter(Source::isAsked).allMatch(source -> source.isServed() || source.isAbsent())
                && served().findAny().isPresent();
    }

    /** Returns the components for the catalogue that the cluster does not serve. */
    public List<String> absent() {
        return sources.stream()
                .filter(source -> source.isAsked() && source.isAbsent())
                .map(Source::component)
                .toList();
    }

    private Stream<Source> served() {
        return sources.stream().filter(source -> source.isAsked() && source.isServed());
    }

    public SortedMap<String, Supplied> supplied() {
        SortedMap<String, Supplied> supplied = new TreeMap<>();
        sources.forEach(source -> supplied.putAll(source.supplied()));
        return supplied;
    }

    /**
     * Returns the offer of this name if one more node of it can be bought within all limits of its source, else null.
     */
    public @Nullable CatalogueOffer open(String name) {
        return sources.stream()
                .flatMap(source ->
                        source.offers().stream().filter(offer -> offer.name().equals(name) && source.allows(offer)))
                .findFirst()
                .orElse(null);
    }

    private static Map<String, CatalogueOffer> offers(Stream<Source> sources) {
        Map<String, CatalogueOffer> offers = new TreeMap<>();
        sources.flatMap(source -> source.offers().stream()).forEach(offer -> offers.putIfAbsent(offer.name(), offer));
        return offers;
    }

    /** The offers that the planner may use, with warnings about the catalogue. */
    record Offered(List<NodeOffer> offers, List<IntakeWarning> warnings) {
        static final Offered NOTHING = new Offered(List.of(), List.of());
    }

    Offered offered(Intake intake, long now) {
        Map<String, CatalogueOffer> byName = offers(served());
        Intake.Offered readOffered =
                intake.offers(byName.values().stream().map(CatalogueOffer::node).toList(), now);
        List<NodeOffer> offers = new ArrayList<>();
        for (NodeOffer offer : readOffered.offers()) {
            CatalogueOffer catalogueOffer = byName.get(offer.name());
            if (catalogueOffer != null) {
                offers.add(catalogueOffer.under(offer));
            }
        }
        return new Offered(offers, readOffered.warnings());
    }

    /**
     * Returns the existing nodes, and a future node for each bought node that a promised window uses. The future node
     * stands for the purchase until the plan no longer waits for it, so a node that has already come is left out.
     */
    synchronized List<Node> withFutureNodes(List<Node> existing, Collection<GangRecord> records) {
        Map<String, PurchaseOrder> awaited = new TreeMap<>();
        Set<String> named = new HashSet<>();
        for (GangRecord record : records) {
            Promise promise = record.promise();
            if (promise != null) {
                promise.orders().forEach(order -> awaited.put(order.node(), order));
                promise.window().placements().forEach(placement -> named.add(placement.node()));
            }
        }
        awaited.keySet().retainAll(named);
        // A node may exist before its NodeClaim or ProvisioningRequest states its name. Then its labels and annotations
        // identify the purchase.
        Set<String> hidden = new HashSet<>(awaited.keySet());
        supplied().values().stream()
                .filter(supplied -> supplied.state() == State.COMING || awaited.containsKey(supplied.name()))
                .forEach(supplied -> {
                    hidden.add(supplied.name());
                    hidden.add(supplied.node());
                });
        hidden.remove("");
        futureNodes.keySet().retainAll(new HashSet<>(awaited.values()));
        List<Node> all = new ArrayList<>();
        existing.stream()
                .filter(node ->
                        !hidden.contains(node.getMetadata().getName()) && !hidden.contains(BoughtNodes.purchase(node)))
                .forEach(all::add);
        Map<String, CatalogueOffer> offers = awaited.isEmpty() ? Map.of() : offers(sources.stream());
        awaited.values().forEach(order -> {
            Node node = futureNode(order, offers.get(order.offer()));
            if (node != null) {
                all.add(node);
            }
        });
        return all;
    }

    /** Returns the future node, by its last known offer if the offer is gone. Null if it was never known here. */
    private @Nullable Node futureNode(PurchaseOrder order, @Nullable CatalogueOffer offer) {
        FutureNode knownNode = futureNodes.get(order);
        if (offer != null && (knownNode == null || !knownNode.offer().node().equals(offer.node()))) {
            knownNode = new FutureNode(offer, BoughtNodes.coming(order, offer));
            futureNodes.put(order, knownNode);
        }
        return knownNode == null ? null : knownNode.node();
    }
}
