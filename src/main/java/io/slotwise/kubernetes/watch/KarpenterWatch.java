package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.karpenter.NodeClaims;
import io.slotwise.kubernetes.manifest.karpenter.NodePools;
import io.slotwise.kubernetes.manifest.karpenter.PoolOffer;
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
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What Karpenter can make and has made, as watches keep it, beside the catalogue of nodes that can be bought. */
public final class KarpenterWatch {
    /** Karpenter's pools of nodes. */
    static final ResourceDefinitionContext POOLS = kind("NodePool", "nodepools");

    /** Karpenter's nodes to come, and those that came of them. */
    public static final ResourceDefinitionContext CLAIMS = kind("NodeClaim", "nodeclaims");

    private final Reflector<GenericKubernetesResource> pools;
    private final Reflector<GenericKubernetesResource> claims;
    private final List<Node> catalogue;
    private final Function<String, @Nullable Node> nodes;
    /** The nodes that are not there yet as they were made last: the same object for as long as nothing has changed. */
    private final Map<PurchaseOrder, Coming> coming = new HashMap<>();

    /** A node that is not there yet, and of what it was made. */
    private record Coming(PoolOffer offer, Node node) {}

    /**
     * A watch.
     *
     * @param catalogue nodes as they would be
     * @param nodes the nodes that are there, by name
     */
    KarpenterWatch(
            Reflector<GenericKubernetesResource> pools,
            Reflector<GenericKubernetesResource> claims,
            List<Node> catalogue,
            Function<String, @Nullable Node> nodes) {
        this.pools = pools;
        this.claims = claims;
        this.catalogue = List.copyOf(catalogue);
        this.nodes = nodes;
    }

    private static ResourceDefinitionContext kind(String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup("karpenter.sh")
                .withVersion("v1")
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(false)
                .build();
    }

    Stream<Reflector<?>> reflectors() {
        return Stream.of(pools, claims);
    }

    /** Whether pools and claims have been read, and can be. */
    public boolean isServed() {
        return pools.hasSynced() && claims.hasSynced() && !pools.isWithheld() && !claims.isWithheld();
    }

    /** What Slotwise has bought. */
    public SortedMap<String, Supplied> supplied() {
        SortedMap<String, Supplied> supplied = new TreeMap<>();
        own().forEach(claim -> {
            String name = claim.getMetadata().getName();
            supplied.put(
                    name,
                    new Supplied(
                            name,
                            String.valueOf(claim.getMetadata().getUid()),
                            NodeClaims.node(claim),
                            state(claim),
                            NodeClaims.startDelay(claim)));
        });
        return supplied;
    }

    private State state(GenericKubernetesResource claim) {
        if (claim.getMetadata().getDeletionTimestamp() != null) {
            return State.LEAVING;
        }
        Node node = nodes.apply(NodeClaims.node(claim));
        return node != null && NodeClaims.isInitialized(claim) && ChangeFilter.usable(node)
                ? State.READY
                : State.COMING;
    }

    /** The offer of this name if a node of it can be bought now within the limits of its pool; null: none can. */
    public @Nullable PoolOffer open(String name) {
        PoolOffer offer = offers().get(name);
        return offer != null && NodePools.allows(offer, own()) ? offer : null;
    }

    /** The offers as they are now, by name, whether or not they can be bought. O(pools x catalogue). */
    private Map<String, PoolOffer> offers() {
        Map<String, PoolOffer> offers = new TreeMap<>();
        NodePools.offers(pools.list(), own(), catalogue).forEach(offer -> offers.put(offer.name(), offer));
        return offers;
    }

    private List<GenericKubernetesResource> own() {
        return claims.list().stream().filter(NodeClaims::isOurs).toList();
    }

    /**
     * What is offered.
     *
     * @param offers by name
     * @param warnings what an admin should know of the catalogue
     */
    record Offered(List<NodeOffer> offers, List<IntakeWarning> warnings) {}

    /** What can be bought now. */
    Offered offered(Intake intake, long now) {
        if (!isServed()) {
            return new Offered(List.of(), List.of());
        }
        Map<String, PoolOffer> byName = offers();
        Intake.Offered read =
                intake.offers(byName.values().stream().map(PoolOffer::node).toList(), now);
        List<NodeOffer> offers = new ArrayList<>();
        for (NodeOffer offer : read.offers()) {
            PoolOffer from = byName.get(offer.name());
            if (from != null) {
                offers.add(from.under(offer));
            }
        }
        return new Offered(offers, read.warnings());
    }

    /**
     * The nodes that are there, and in the place of those that windows are on before they are there these as they will
     * be.
     */
    synchronized List<Node> with(List<Node> there, Collection<GangRecord> standings) {
        Map<String, PurchaseOrder> awaited = new TreeMap<>();
        Set<String> named = new HashSet<>();
        for (GangRecord standing : standings) {
            Promise promise = standing.promise();
            if (promise != null) {
                promise.orders().forEach(order -> awaited.put(order.node(), order));
                promise.window().placements().forEach(seat -> named.add(seat.node()));
            }
        }
        awaited.keySet().retainAll(named);
        Set<String> hidden = new HashSet<>();
        supplied().values().stream()
                .filter(node -> node.state() == State.COMING || awaited.containsKey(node.name()))
                .forEach(node -> hidden.add(node.node()));
        coming.keySet().retainAll(new HashSet<>(awaited.values()));
        List<Node> all = new ArrayList<>();
        there.stream()
                .filter(node -> !hidden.contains(node.getMetadata().getName()))
                .forEach(all::add);
        Map<String, PoolOffer> offers = awaited.isEmpty() ? Map.of() : offers();
        awaited.values().forEach(order -> {
            Node node = coming(order, offers.get(order.offer()));
            if (node != null) {
                all.add(node);
            }
        });
        return all;
    }

    /** As it will be; as it was known last where the offer is there no more. Null: it was never known here. */
    private @Nullable Node coming(PurchaseOrder order, @Nullable PoolOffer offer) {
        Coming known = coming.get(order);
        if (offer != null && (known == null || !known.offer().node().equals(offer.node()))) {
            known = new Coming(offer, NodeClaims.coming(order, offer));
            coming.put(order, known);
        }
        return known == null ? null : known.node();
    }
}
