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

/** What Karpenter can make of the nodes of the catalogue, and what it has made, as watches keep it. */
public final class KarpenterWatch implements PurchaseWatch.Source {
    static final ResourceDefinitionContext POOLS = kind("NodePool", "nodepools");

    /** Karpenter's nodes to come, and those that came of them. */
    public static final ResourceDefinitionContext CLAIMS = kind("NodeClaim", "nodeclaims");

    /** What was made and is not seen so much later is there no more. */
    private static final Duration UNSEEN = Duration.ofSeconds(5);

    private final Reflector<GenericKubernetesResource> poolReflector;
    private final Reflector<GenericKubernetesResource> claimReflector;
    private final List<Node> catalogue;
    private final boolean alone;
    private final Function<String, @Nullable Node> nodes;
    /** The claims that were made here a moment ago, by name, and when. */
    private final Map<String, Made> made = new ConcurrentHashMap<>();

    private record Made(GenericKubernetesResource claim, long nanos) {}

    /**
     * @param catalogue nodes as they would be; those of node groups are left out
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
    public String needs() {
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

    /** Counts a claim that was made just now against its pool's limits, whether or not it is seen yet. */
    public void made(GenericKubernetesResource claim) {
        made.put(claim.getMetadata().getName(), new Made(claim, System.nanoTime()));
    }

    private List<GenericKubernetesResource> own() {
        return claimReflector.list().stream()
                .filter(claim -> BoughtNodes.isOurs(claim.getMetadata()))
                .toList();
    }
}
