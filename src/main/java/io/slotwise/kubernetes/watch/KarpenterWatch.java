package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.slotwise.kubernetes.manifest.purchase.BoughtNodes;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.kubernetes.manifest.purchase.NodeClaims;
import io.slotwise.kubernetes.manifest.purchase.NodeGroups;
import io.slotwise.kubernetes.manifest.purchase.NodePools;
import io.slotwise.live.port.NodeSupplier.State;
import io.slotwise.live.port.NodeSupplier.Supplied;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A watch of Karpenter's offers for the nodes of the catalogue, and of its NodeClaims. */
public final class KarpenterWatch implements PurchaseWatch.Source {
    static final ResourceDefinitionContext POOLS = kind("NodePool", "nodepools");

    /** The kind of Karpenter's future and existing nodes. */
    public static final ResourceDefinitionContext CLAIMS = kind("NodeClaim", "nodeclaims");

    /** The time after which a new claim that the watch does not show counts as deleted. */
    private static final Duration UNSEEN = Duration.ofSeconds(5);

    private final Reflector<GenericKubernetesResource> poolReflector;
    private final Reflector<GenericKubernetesResource> claimReflector;
    private final List<Node> catalogue;
    private final boolean alone;
    private final Function<String, @Nullable Node> nodes;
    /** The claims that this replica has just created, by name, with the time. */
    private final Map<String, Made> made = new ConcurrentHashMap<>();

    private record Made(GenericKubernetesResource claim, long nanos) {}

    /**
     * @param catalogue future nodes; those of node groups are left out
     */
    KarpenterWatch(
            Reflector<GenericKubernetesResource> poolReflector,
            Reflector<GenericKubernetesResource> claimReflector,
            List<Node> catalogue,
            Function<String, @Nullable Node> nodes) {
        this.poolReflector = poolReflector;
        this.claimReflector = claimReflector;
        this.catalogue =
                catalogue.stream().filter(node -> !NodeGroups.isOne(node)).toList();
        this.alone = catalogue.stream().noneMatch(NodeGroups::isOne);
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

    @Override
    public Stream<Reflector<?>> reflectors() {
        return Stream.of(poolReflector, claimReflector);
    }

    @Override
    public String component() {
        return "NodePools and NodeClaims (karpenter.sh/v1)";
    }

    @Override
    public boolean isAsked() {
        return alone || !catalogue.isEmpty();
    }

    @Override
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

    /** O(pools x catalogue). */
    @Override
    public List<CatalogueOffer> offers() {
        return NodePools.offers(poolReflector.list(), own(), catalogue);
    }

    @Override
    public boolean allows(CatalogueOffer offer) {
        List<GenericKubernetesResource> own = new ArrayList<>(own());
        Set<String> seen =
                own.stream().map(claim -> claim.getMetadata().getName()).collect(Collectors.toSet());
        long now = System.nanoTime();
        made.values().removeIf(made -> now - made.nanos() > UNSEEN.toNanos());
        made.keySet().removeAll(seen);
        made.values().forEach(made -> own.add(made.claim()));
        return NodePools.allows(offer, own);
    }

    /** Counts a claim that was just created against its pool's limits, even before the watch shows it. */
    public void made(GenericKubernetesResource claim) {
        made.put(claim.getMetadata().getName(), new Made(claim, System.nanoTime()));
    }

    private List<GenericKubernetesResource> own() {
        return claimReflector.list().stream()
                .filter(claim -> BoughtNodes.isOurs(claim.getMetadata()))
                .toList();
    }
}
