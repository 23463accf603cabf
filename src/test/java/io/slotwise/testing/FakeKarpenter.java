package io.slotwise.testing;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.karpenter.NodeClaims;
import io.slotwise.kubernetes.manifest.karpenter.PoolOffer;
import io.slotwise.kubernetes.watch.KarpenterWatch;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.PurchaseBooks;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Karpenter as far as a replica sees it: it makes nodes of NodeClaims after a delay, or does not. A call may end with
 * {@link Killed}, before or after what it does.
 */
public final class FakeKarpenter implements NodeSupplier {
    /** The replica dies in the middle of a call. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final List<Node> catalogue;
    private final SortedMap<String, Long> bought = new TreeMap<>();
    private final SortedMap<String, String> ready = new TreeMap<>();
    private PurchaseBooks kept = PurchaseBooks.NONE;
    private @Nullable WholeReplica replica;
    private @Nullable KarpenterWatch watch;
    private Predicate<String> killing = _ -> false;
    private Predicate<String> isServed = _ -> true;
    private boolean neverReady;
    private long delay;
    private int mostAtOnce;
    private int purchases;
    private Cost billed = Cost.ZERO;

    /** One that sells these nodes, in YAML, and has them ready after so many seconds. */
    public FakeKarpenter(String catalogue, long delay) {
        this.catalogue = ManifestFile.read(
                        new ByteArrayInputStream(catalogue.getBytes(StandardCharsets.UTF_8)), "catalogue")
                .nodes();
        this.delay = delay;
    }

    List<Node> catalogue() {
        return catalogue;
    }

    void serve(WholeReplica whom, KarpenterWatch how) {
        replica = whom;
        watch = how;
    }

    /** Whether there is capacity for an offer, from now on. */
    public void serving(Predicate<String> offers) {
        isServed = offers;
    }

    /** Whether no node becomes ready any more. */
    public void neverReady(boolean never) {
        neverReady = never;
    }

    /** How long nodes take from now on, seconds. */
    public void taking(long seconds) {
        delay = seconds;
    }

    /** Whether the replica dies at a point: before-keep, after-keep, before-buy, after-buy, before-give-up. */
    public void killing(Predicate<String> points) {
        killing = points;
    }

    /** The names of what is bought and not given up. */
    public List<String> claims() {
        return List.copyOf(bought.keySet());
    }

    /** The names of the nodes that are there. */
    public List<String> nodesThere() {
        return List.copyOf(ready.values());
    }

    /** How many nodes there ever were at the same time. */
    public int mostAtOnce() {
        return mostAtOnce;
    }

    /** How many nodes were ever bought. */
    public int purchases() {
        return purchases;
    }

    /** The bills of those that had a node. */
    public Cost billed() {
        return billed;
    }

    /** What they have cost, as it is kept. */
    public SortedMap<String, Expense> costs() {
        return kept.expenses();
    }

    /** What the next replica will know. */
    public PurchaseBooks kept() {
        return kept;
    }

    /** Makes the nodes that are ready in this second. */
    public void go() {
        WholeReplica whose = Objects.requireNonNull(replica);
        long now = whose.now();
        for (String name : List.copyOf(bought.keySet())) {
            long since = Objects.requireNonNull(bought.get(name));
            if (!neverReady && !ready.containsKey(name) && now >= since + delay) {
                make(name);
            }
        }
    }

    private void make(String name) {
        WholeReplica whose = Objects.requireNonNull(replica);
        GenericKubernetesResource claim = Objects.requireNonNull(claims.get(name));
        String node = "node-" + name;
        ready.put(name, node);
        PoolOffer offer = Objects.requireNonNull(offers.get(name));
        Node made = Serialization.clone(offer.node());
        made.getMetadata().setName(node);
        made.getMetadata().setUid(node);
        made.getMetadata().getLabels().putAll(claim.getMetadata().getLabels());
        made.getMetadata().setAnnotations(claim.getMetadata().getAnnotations());
        whose.seeing(Serialization.asJson(made));
        claim.setAdditionalProperty(
                "status",
                Map.of(
                        "nodeName",
                        node,
                        "conditions",
                        List.of(Map.of(
                                "type",
                                "Initialized",
                                "status",
                                "True",
                                "lastTransitionTime",
                                Instant.ofEpochSecond(whose.now()).toString()))));
        whose.seeing(Serialization.asJson(claim));
    }

    private final SortedMap<String, GenericKubernetesResource> claims = new TreeMap<>();
    private final SortedMap<String, PoolOffer> offers = new TreeMap<>();

    /** A node goes, as a spot node does, and its claim with it. */
    public void takeAway(String name) {
        remove(name);
    }

    private void remove(String name) {
        WholeReplica whose = Objects.requireNonNull(replica);
        bought.remove(name);
        offers.remove(name);
        GenericKubernetesResource claim = claims.remove(name);
        String node = ready.remove(name);
        if (claim != null) {
            whose.missing(Serialization.asJson(claim));
        }
        if (node != null) {
            whose.missing("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"}}""".formatted(node));
        }
    }

    @Override
    public boolean isServed() {
        return Objects.requireNonNull(watch).isServed();
    }

    @Override
    public SortedMap<String, Supplied> nodes() {
        return Objects.requireNonNull(watch).supplied();
    }

    @Override
    public boolean buy(PurchaseOrder order, GangId gang) {
        die("before-buy");
        if (bought.containsKey(order.node())) {
            return true;
        }
        PoolOffer offer = Objects.requireNonNull(watch).open(order.offer());
        if (offer == null) {
            return false;
        }
        GenericKubernetesResource claim = NodeClaims.of(order, offer, gang);
        claim.getMetadata()
                .setCreationTimestamp(
                        Instant.ofEpochSecond(Objects.requireNonNull(replica).now())
                                .toString());
        claims.put(order.node(), claim);
        offers.put(order.node(), offer);
        bought.put(order.node(), Objects.requireNonNull(replica).now());
        purchases++;
        mostAtOnce = Math.max(mostAtOnce, bought.size());
        Objects.requireNonNull(replica).seeing(Serialization.asJson(claim));
        if (!isServed.test(order.offer())) {
            remove(order.node());
        } else {
            billed = billed.plus(new Cost(order.bill()));
        }
        die("after-buy");
        return true;
    }

    @Override
    public void giveUp(Supplied node) {
        die("before-give-up");
        remove(node.name());
    }

    @Override
    public Optional<PurchaseBooks> books() {
        return Optional.of(kept);
    }

    @Override
    public boolean keep(PurchaseBooks books) {
        die("before-keep");
        kept = books;
        die("after-keep");
        return true;
    }

    private void die(String point) {
        if (killing.test(point)) {
            throw new Killed();
        }
    }
}
