package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.karpenter.NodeClaims;
import io.slotwise.kubernetes.manifest.karpenter.PoolOffer;
import io.slotwise.kubernetes.watch.KarpenterWatch;
import io.slotwise.live.port.NodeSupplier;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Buys nodes as NodeClaims of Karpenter's, and keeps what they have cost in a ConfigMap: a line for each purchase, with
 * its second and its bill. Each write of it names the version that was read, so that of two writers one is refused.
 */
public final class KarpenterSupplier implements NodeSupplier {
    private static final Logger LOG = Logger.getLogger(KarpenterSupplier.class);

    private final KubernetesClient client;
    private final KarpenterWatch watch;
    private final String namespace;
    private final String name;
    /** The ConfigMap as it was read or written last; null: there is none. */
    private @Nullable ConfigMap kept;

    /**
     * A supplier.
     *
     * @param namespace of the ConfigMap
     * @param name of the ConfigMap
     */
    public KarpenterSupplier(KubernetesClient client, KarpenterWatch watch, String namespace, String name) {
        this.client = client;
        this.watch = watch;
        this.namespace = namespace;
        this.name = name;
    }

    @Override
    public boolean isServed() {
        return watch.isServed();
    }

    @Override
    public SortedMap<String, Supplied> nodes() {
        return watch.supplied();
    }

    @Override
    public boolean buy(PurchaseOrder order, GangId gang) {
        PoolOffer offer = watch.open(order.offer());
        if (offer == null) {
            LOG.warnf(
                    "node %s was not bought for %s: its NodePool no longer allows offer %s, or not within its limits",
                    order.node(), gang, order.offer());
            return false;
        }
        try {
            client.genericKubernetesResources(KarpenterWatch.CLAIMS)
                    .resource(NodeClaims.of(order, offer, gang))
                    .create();
            LOG.infof("node %s of offer %s is being bought for %s", order.node(), order.offer(), gang);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return true;
            }
            LOG.warnf("node %s was not bought for %s; retrying: %s", order.node(), gang, e.getMessage());
            return false;
        }
    }

    @Override
    public void giveUp(Supplied node) {
        try {
            client.genericKubernetesResources(KarpenterWatch.CLAIMS)
                    .withName(node.name())
                    .delete();
            LOG.infof("node %s (%s) is given up", node.name(), node.node());
        } catch (KubernetesClientException e) {
            LOG.warnf("node %s was not given up; retrying: %s", node.name(), e.getMessage());
        }
    }

    @Override
    public Optional<SortedMap<String, Expense>> expenses() {
        try {
            kept = client.configMaps().inNamespace(namespace).withName(name).get();
            return Optional.of(expenses(kept));
        } catch (KubernetesClientException e) {
            LOG.warnf("what nodes have cost cannot be read, and none is bought until then: %s", e.getMessage());
        } catch (IllegalArgumentException e) {
            LOG.errorf(
                    "ConfigMap %s/%s: %s: expected lines of a second and a bill; no node is bought until then. "
                            + "Maybe delete it to count from nothing",
                    namespace, name, e.getMessage());
        }
        return Optional.empty();
    }

    private static SortedMap<String, Expense> expenses(@Nullable ConfigMap from) {
        SortedMap<String, Expense> expenses = new TreeMap<>();
        if (from != null && from.getData() != null) {
            from.getData().forEach((purchase, text) -> {
                String[] parts = text.split(" ", -1);
                if (parts.length != 2) {
                    throw new IllegalArgumentException("`%s` is %s".formatted(purchase, text));
                }
                expenses.put(purchase, new Expense(Long.parseLong(parts[0]), new Cost(Long.parseLong(parts[1]))));
            });
        }
        return expenses;
    }

    @Override
    public boolean keep(SortedMap<String, Expense> expenses) {
        Map<String, String> lines = new TreeMap<>();
        expenses.forEach((purchase, expense) ->
                lines.put(purchase, expense.bought() + " " + expense.bill().microSecondsPerHour()));
        ConfigMap before = kept;
        ConfigMapBuilder wanted = before == null
                ? new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                : new ConfigMapBuilder(before);
        ConfigMap object = wanted.withData(lines).build();
        try {
            kept = before == null
                    ? client.resource(object).create()
                    : client.resource(object).update();
            return true;
        } catch (KubernetesClientException e) {
            LOG.warnf("what nodes cost was not kept, and none is bought until then: %s", e.getMessage());
            return false;
        }
    }
}
