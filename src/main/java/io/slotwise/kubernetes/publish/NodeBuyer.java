package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.provision.StartDelays;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.kubernetes.refusal.ApiRefusal;
import io.slotwise.kubernetes.watch.AutoscalerWatch;
import io.slotwise.kubernetes.watch.PurchaseWatch;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.PurchaseBooks;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Buys nodes as Karpenter NodeClaims or by ProvisioningRequests, and keeps their costs in a ConfigMap: a line for each
 * purchase, with its second, its bill and its namespace. Observations about offers are in two annotations, which a
 * version of Slotwise without them leaves alone. Each write names the version that was read, so that the second of two
 * writers is refused.
 */
public final class NodeBuyer implements NodeSupplier {
    private static final Logger LOG = Logger.getLogger(NodeBuyer.class);

    /** Annotation of the ConfigMap: seconds until which offers are not used. */
    private static final String RESTING = AnnotationKeys.PREFIX + "resting-offers";
    /** Annotation of the ConfigMap: seconds that the last nodes of offers took to start. */
    private static final String DELAYS = AnnotationKeys.PREFIX + "start-delays";
    /** The longest annotation; all annotations of an object have 256 KiB. */
    private static final int LONGEST_NOTE = 100_000;

    private final KubernetesClient client;
    private final PurchaseWatch watch;
    private final List<NodeMaker> makers;
    private final String namespace;
    private final String name;
    /** The ConfigMap as last read or written, or null. */
    private @Nullable ConfigMap kept;

    /**
     * @param namespace of the ConfigMap and of ProvisioningRequests
     */
    public NodeBuyer(KubernetesClient client, PurchaseWatch watch, String namespace, String name) {
        this.client = client;
        this.watch = watch;
        AutoscalerWatch autoscaler = watch.autoscaler();
        NodeMaker maker = new ClaimMaker(client, watch.karpenter());
        this.makers =
                autoscaler == null ? List.of(maker) : List.of(maker, new RequestMaker(client, autoscaler, namespace));
        this.namespace = namespace;
        this.name = name;
    }

    @Override
    public boolean isServed() {
        return watch.isServed();
    }

    @Override
    public List<String> absent() {
        return watch.absent();
    }

    @Override
    public SortedMap<String, Supplied> nodes() {
        return watch.supplied();
    }

    @Override
    public boolean buy(PurchaseOrder order, GangId gang) {
        CatalogueOffer offer = watch.open(order.offer());
        NodeMaker maker = offer == null
                ? null
                : makers.stream()
                        .filter(nodeMaker -> nodeMaker.offers(offer))
                        .findFirst()
                        .orElse(null);
        if (offer == null || maker == null) {
            LOG.warnf(
                    "node %s was not bought for %s: offer %s is not there any more, or not within its limits",
                    order.node(), gang, order.offer());
            return false;
        }
        try {
            maker.buy(order, offer, gang);
            LOG.infof("node %s of offer %s is being bought for %s", order.node(), order.offer(), gang);
            return true;
        } catch (KubernetesClientException e) {
            LOG.logf(
                    ApiRefusal.level(e),
                    "node %s was not bought for %s; retrying: %s",
                    order.node(),
                    gang,
                    e.getMessage());
            return false;
        }
    }

    @Override
    public void giveUp(Supplied supplied) {
        makers.stream()
                .filter(maker -> maker.nodes().containsKey(supplied.name()))
                .forEach(maker -> {
                    try {
                        maker.giveUp(supplied);
                        LOG.infof("node %s (%s) is given up", supplied.name(), supplied.node());
                    } catch (KubernetesClientException e) {
                        LOG.logf(
                                ApiRefusal.level(e),
                                "node %s was not given up; retrying: %s",
                                supplied.name(),
                                e.getMessage());
                    }
                });
    }

    @Override
    public void attend() {
        for (NodeMaker maker : makers) {
            try {
                maker.attend();
            } catch (KubernetesClientException e) {
                LOG.logf(
                        ApiRefusal.level(e),
                        "what nodes are bought with is not as it should be; retrying: %s",
                        e.getMessage());
            }
        }
    }

    @Override
    public Optional<PurchaseBooks> books() {
        try {
            kept = client.configMaps().inNamespace(namespace).withName(name).get();
            return Optional.of(new PurchaseBooks(
                    expenses(kept), noted(kept, RESTING, Long::parseLong), noted(kept, DELAYS, NodeBuyer::delays)));
        } catch (KubernetesClientException e) {
            LOG.logf(
                    ApiRefusal.level(e),
                    "what nodes have cost cannot be read, and none is bought until then: %s",
                    e.getMessage());
        } catch (IllegalArgumentException e) {
            LOG.errorf(
                    "ConfigMap %s/%s: %s: expected lines of a second, a bill and a namespace; no node is bought until "
                            + "then. Maybe delete it to count from nothing",
                    namespace, name, e.getMessage());
        }
        return Optional.empty();
    }

    private static SortedMap<String, Expense> expenses(@Nullable ConfigMap from) {
        SortedMap<String, Expense> expenses = new TreeMap<>();
        if (from != null && from.getData() != null) {
            from.getData().forEach((purchase, text) -> {
                String[] parts = text.split(" ", -1);
                if (parts.length != 3) {
                    throw new IllegalArgumentException("`%s` is %s".formatted(purchase, text));
                }
                expenses.put(
                        purchase, new Expense(Long.parseLong(parts[0]), new Cost(Long.parseLong(parts[1])), parts[2]));
            });
        }
        return expenses;
    }

    /**
     * Reads an annotation about offers: {@code OFFER=VALUE} items separated by spaces. Unreadable items are ignored.
     */
    private <T> SortedMap<String, T> noted(@Nullable ConfigMap from, String key, Function<String, T> read) {
        SortedMap<String, T> noted = new TreeMap<>();
        String text = from == null ? "" : Annotations.text(from, key);
        for (String one : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            int end = one.indexOf('=');
            try {
                noted.put(one.substring(0, Math.max(0, end)), read.apply(one.substring(end + 1)));
            } catch (IllegalArgumentException e) {
                LOG.warnf(
                        "ConfigMap %s/%s: annotation `%s` has `%s`: expected OFFER=WHAT; this is left out",
                        namespace, name, key, one);
            }
        }
        return noted;
    }

    private static StartDelays delays(String text) {
        return new StartDelays(
                Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList());
    }

    /** Writes an annotation about offers. Items beyond its length are left out. */
    private static <T> String note(SortedMap<String, T> offers, Function<T, String> write) {
        StringBuilder text = new StringBuilder();
        offers.forEach((offer, what) -> {
            String one = "%s=%s".formatted(offer, write.apply(what));
            if (text.length() + one.length() < LONGEST_NOTE) {
                text.append(text.isEmpty() ? "" : " ").append(one);
            }
        });
        return text.toString();
    }

    private static String text(StartDelays delays) {
        return delays.seen().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    @Override
    public boolean keep(PurchaseBooks books) {
        Map<String, String> lines = new TreeMap<>();
        books.expenses()
                .forEach((purchase, expense) -> lines.put(
                        purchase,
                        "%d %d %s"
                                .formatted(
                                        expense.bought(), expense.cost().microSecondsPerHour(), expense.namespace())));
        ConfigMap before = kept;
        ConfigMapBuilder wanted = before == null
                ? new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                : new ConfigMapBuilder(before);
        ConfigMap object = wanted.withData(lines)
                .editMetadata()
                .addToAnnotations(RESTING, note(books.resting(), String::valueOf))
                .addToAnnotations(DELAYS, note(books.delays(), NodeBuyer::text))
                .endMetadata()
                .build();
        try {
            kept = before == null
                    ? client.resource(object).create()
                    : client.resource(object).update();
            return true;
        } catch (KubernetesClientException e) {
            LOG.logf(
                    ApiRefusal.level(e),
                    "what nodes cost was not kept, and none is bought until then: %s",
                    e.getMessage());
            return false;
        }
    }
}
