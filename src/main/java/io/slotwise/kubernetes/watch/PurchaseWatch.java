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

/** What can be bought and what was bought, wherever that is, as watches keep it. */
public final class PurchaseWatch {
    private final KarpenterWatch karpenter;
    private final @Nullable AutoscalerWatch autoscaler;
    private final List<Source> sources;
    /** The nodes that are not there yet as they were made last: the same object for as long as nothing has changed. */
    private final Map<PurchaseOrder, Coming> coming = new HashMap<>();

    /** Where nodes can be bought, as watches keep it. */
    interface Source {
        Stream<Reflector<?>> reflectors();

        /** What is installed where it is served. */
        String needs();

        /** Whether something of the catalogue is to be had here. */
        boolean isAsked();

        /** All of it as it is now, whether or not it can be bought. */
        List<CatalogueOffer> offers();

        /** Whether one more node passes no limit. */
        boolean allows(CatalogueOffer offer);

        /** What Slotwise has bought here, by its name. */
        SortedMap<String, Supplied> supplied();

        /** Whether all of this has been read, and can be. */
        default boolean isServed() {
            return reflectors().allMatch(reflector -> reflector.hasSynced() && !reflector.isWithheld());
        }

        /** Whether it is known not to be there. */
        default boolean isAbsent() {
            return reflectors().anyMatch(Reflector::isWithheld);
        }
    }

    /** A node that is not there yet, and of what it was made. */
    private record Coming(CatalogueOffer offer, Node node) {}

    /**
     * @param autoscaler null: the catalogue has no node of a node group
     */
    PurchaseWatch(KarpenterWatch karpenter, @Nullable AutoscalerWatch autoscaler) {
        this.karpenter = karpenter;
        this.autoscaler = autoscaler;
        this.sources = autoscaler == null ? List.of(karpenter) : List.of(karpenter, autoscaler);
    }

    /**
     * A watch of what a catalogue asks for.
     *
     * @param namespace of Slotwise's own ProvisioningRequests
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

    /** The node groups of the cluster's autoscaler; null: none are asked for. */
    public @Nullable AutoscalerWatch autoscaler() {
        return autoscaler;
    }

    Stream<Reflector<?>> reflectors() {
        return sources.stream().flatMap(Source::reflectors);
    }

    /** Whether all that the catalogue asks for has been read, but for what the cluster does not serve. */
    public boolean isServed() {
        return sources.stream().filter(Source::isAsked).allMatch(source -> source.isServed() || source.isAbsent())
                && served().findAny().isPresent();
    }

    /** What the catalogue asks for and the cluster does not serve. */
    public List<String> absent() {
        return sources.stream()
                .filter(source -> source.isAsked() && source.isAbsent())
                .map(Source::needs)
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

    /** The offer of this name if a node of it can be bought now within all limits of its source; null: none can. */
    public @Nullable CatalogueOffer open(String name) {
        return sources.stream()
                .flatMap(source ->
                        source.offers().stream().filter(offer -> offer.name().equals(name) && source.allows(offer)))
                .findFirst()
                .orElse(null);
    }

    /** The offers as they are now, by name, whether or not they can be bought. */
    private static Map<String, CatalogueOffer> offers(Stream<Source> sources) {
        Map<String, CatalogueOffer> offers = new TreeMap<>();
        sources.flatMap(source -> source.offers().stream()).forEach(offer -> offers.putIfAbsent(offer.name(), offer));
        return offers;
    }

    /** What is offered, by name, and what an admin should know of the catalogue. */
    record Offered(List<NodeOffer> offers, List<IntakeWarning> warnings) {
        static final Offered NOTHING = new Offered(List.of(), List.of());
    }

    /** What can be bought now. */
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
     * The nodes that are there, and in the place of those that windows are on before they are there these as they will
     * be.
     */
    synchronized List<Node> with(List<Node> there, Collection<GangRecord> records) {
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
        // A node may be there before what it was bought with says its name: then it says what that was.
        Set<String> hidden = new HashSet<>(awaited.keySet());
        supplied().values().stream()
                .filter(supplied -> supplied.state() == State.COMING || awaited.containsKey(supplied.name()))
                .forEach(supplied -> {
                    hidden.add(supplied.name());
                    hidden.add(supplied.node());
                });
        hidden.remove("");
        coming.keySet().retainAll(new HashSet<>(awaited.values()));
        List<Node> all = new ArrayList<>();
        there.stream()
                .filter(node ->
                        !hidden.contains(node.getMetadata().getName()) && !hidden.contains(BoughtNodes.purchase(node)))
                .forEach(all::add);
        Map<String, CatalogueOffer> offers = awaited.isEmpty() ? Map.of() : offers(sources.stream());
        awaited.values().forEach(order -> {
            Node node = coming(order, offers.get(order.offer()));
            if (node != null) {
                all.add(node);
            }
        });
        return all;
    }

    /** As it will be; as it was known last where the offer is there no more. Null: it was never known here. */
    private @Nullable Node coming(PurchaseOrder order, @Nullable CatalogueOffer offer) {
        Coming knownComing = coming.get(order);
        if (offer != null && (knownComing == null || !knownComing.offer().node().equals(offer.node()))) {
            knownComing = new Coming(offer, BoughtNodes.coming(order, offer));
            coming.put(order, knownComing);
        }
        return knownComing == null ? null : knownComing.node();
    }
}
