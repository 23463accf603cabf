package io.slotwise.testing;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.kubernetes.manifest.purchase.NodeClaims;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Karpenter as a replica sees it: it makes nodes of NodeClaims after a delay, or never. */
public final class FakeKarpenter extends FakeSeller {
    private final SortedMap<String, Long> bought = new TreeMap<>();
    private final SortedMap<String, String> ready = new TreeMap<>();
    private final SortedMap<String, GenericKubernetesResource> claims = new TreeMap<>();
    private final SortedMap<String, CatalogueOffer> offers = new TreeMap<>();
    private final List<GenericKubernetesResource> unseen = new ArrayList<>();
    private final List<GenericKubernetesResource> unnamed = new ArrayList<>();

    /** Creates a Karpenter that sells these nodes (YAML), each ready after this many seconds. */
    public FakeKarpenter(String catalogue, long delay) {
        super(catalogue, delay);
    }

    @Override
    public List<String> claims() {
        return List.copyOf(bought.keySet());
    }

    @Override
    public List<String> nodesThere() {
        return List.copyOf(ready.values());
    }

    @Override
    public void go() {
        if (!isSeenLate()) {
            unseen.forEach(claim -> replica().seeing(Serialization.asJson(claim)));
            unseen.clear();
        }
        if (!isNamedLate()) {
            unnamed.forEach(claim -> replica().seeing(Serialization.asJson(claim)));
            unnamed.clear();
        }
        long now = replica().now();
        for (String name : List.copyOf(bought.keySet())) {
            long since = Objects.requireNonNull(bought.get(name));
            if (!isNeverReady() && !ready.containsKey(name) && now >= since + delay()) {
                make(name);
            }
        }
    }

    private void make(String name) {
        GenericKubernetesResource claim = Objects.requireNonNull(claims.get(name));
        String node = "node-" + name;
        ready.put(name, node);
        CatalogueOffer offer = Objects.requireNonNull(offers.get(name));
        Node made = Serialization.clone(offer.node());
        made.getMetadata().setName(node);
        made.getMetadata().setUid(node);
        made.getMetadata().getLabels().putAll(claim.getMetadata().getLabels());
        made.getMetadata().setAnnotations(claim.getMetadata().getAnnotations());
        replica().seeing(Serialization.asJson(made));
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
                                Instant.ofEpochSecond(replica().now()).toString()))));
        if (isNamedLate()) {
            unnamed.add(claim);
        } else {
            replica().seeing(Serialization.asJson(claim));
        }
    }

    @Override
    public void takeAway(String name) {
        remove(name);
    }

    private void remove(String name) {
        bought.remove(name);
        offers.remove(name);
        GenericKubernetesResource claim = claims.remove(name);
        String node = ready.remove(name);
        if (claim != null) {
            replica().missing(Serialization.asJson(claim));
        }
        if (node != null) {
            replica().missing("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"}}""".formatted(node));
        }
    }

    @Override
    void sell(PurchaseOrder order, CatalogueOffer offer, GangId gang) {
        GenericKubernetesResource claim = NodeClaims.of(order, offer, gang);
        claim.getMetadata()
                .setCreationTimestamp(Instant.ofEpochSecond(replica().now()).toString());
        claims.put(order.node(), claim);
        watch().karpenter().made(claim);
        offers.put(order.node(), offer);
        bought.put(order.node(), replica().now());
        if (isSeenLate()) {
            unseen.add(claim);
        } else {
            replica().seeing(Serialization.asJson(claim));
        }
        if (!serves(order.offer())) {
            remove(order.node());
        }
    }

    @Override
    void take(Supplied node) {
        remove(node.name());
    }
}
