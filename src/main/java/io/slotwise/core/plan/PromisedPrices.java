package io.slotwise.core.plan;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import java.math.BigInteger;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The prices at which a plan's windows are promised: the prices of the snapshot's nodes.
 *
 * <p>Pods on a node that is bought for their gang pay its bill. A billed amount stays billed: an early end does not
 * refund what was paid for the node until then. Each second costs its part of what it adds to the bill: a step when it
 * begins, or evenly if there are more than 64 steps.
 */
public final class PromisedPrices {
    private static final long MOST_STEPS = 64;

    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Billing> billings = new HashMap<>();
    private final boolean wholeNode;

    public PromisedPrices(Snapshot snapshot, Policy policy) {
        this(snapshot.cluster().inventory(), policy);
        snapshot.offers().forEach(offer -> billings.put(offer.name(), offer.billing()));
    }

    public PromisedPrices(Collection<Node> cluster, Policy policy) {
        cluster.forEach(node -> nodes.put(node.name(), node));
        wholeNode = policy.charge() == Policy.Charge.WHOLE_NODE;
    }

    /** Returns the prices of a window that is new in the plan. */
    public PromiseTariff of(Planned planned) {
        Map<String, PodRequest> requests = planned.gang().requests();
        return PromiseTariff.of(
                        planned.window(),
                        placement -> bought(planned, placement)
                                .map(order -> billed(placement, order, billings.get(order.offer())))
                                .orElseGet(() -> rate(placement.node(), request(placement, requests))))
                .payingBy(
                        planned.window(),
                        placement -> wholeNode || bought(planned, placement).isPresent()
                                ? Resources.NONE
                                : request(placement, requests));
    }

    private static Optional<PurchaseOrder> bought(Planned planned, Placement placement) {
        return planned.orders().stream()
                .filter(order -> order.node().equals(placement.node()))
                .findFirst();
    }

    private static Resources request(Placement placement, Map<String, PodRequest> requests) {
        return Objects.requireNonNull(requests.get(placement.pod()), placement.pod())
                .resources();
    }

    private static StepFunction atOnce(Placement placement) {
        return StepFunction.startingAt(placement.cost().microSecondsPerHour())
                .then(placement.start() + 1, 0)
                .build();
    }

    /** Returns what each second adds to the part of the bill. The remainder of rounding is due in the first second. */
    private static StepFunction billed(Placement placement, PurchaseOrder order, @Nullable Billing billing) {
        if (billing == null) {
            return atOnce(placement);
        }
        long seconds = placement.end() - placement.start();
        long before = placement.start() - order.ready();
        long first = billing.billed(before + 1);
        long more = billing.billed(before + seconds) - first;
        // The first second of the next bill, counted from 1.
        long from = first - billing.delay() - billing.shutdown() - before + 1;
        if (more == 0 || seconds < 3 || from >= seconds || order.bill() == 0) {
            return atOnce(placement);
        }
        BigInteger part = placement.cost().exact().multiply(BigInteger.valueOf(order.price()));
        BigInteger bill = BigInteger.valueOf(order.bill());
        SortedMap<Long, Long> rates = new TreeMap<>(Map.of(placement.start() + 1, 0L));
        long later = 0;
        if (more / billing.step() <= MOST_STEPS) {
            long each = part.multiply(BigInteger.valueOf(billing.step()))
                    .divide(bill)
                    .longValueExact();
            // The last second has no step: the time after it costs the same.
            for (long second = from; second < seconds; second += billing.step()) {
                rates.put(placement.start() + second - 1, each);
                rates.putIfAbsent(placement.start() + second, 0L);
                later += each;
            }
        } else {
            long count = seconds - from + 1;
            long each = part.multiply(BigInteger.valueOf(more))
                    .divide(bill.multiply(BigInteger.valueOf(count)))
                    .longValueExact();
            rates.put(placement.start() + from - 1, each);
            later = each * count;
        }
        StepFunction.Builder builder = StepFunction.startingAt(placement.cost().microSecondsPerHour() - later);
        rates.forEach(builder::then);
        return builder.build();
    }

    /** Returns the prices of the window that a request was promised. */
    public PromiseTariff of(Request request) {
        Promise promise = Objects.requireNonNull(request.promise());
        return of(new Planned(request.gang(), promise.window(), promise.origin(), true)
                .withBound(promise.promiseBound())
                .withOrders(promise.orders()));
    }

    /** Returns what a pod with this request pays on this node over time, millionths per hour. */
    public StepFunction rate(String name, Resources request) {
        Node node = Objects.requireNonNull(nodes.get(name), name);
        Share share = wholeNode ? Share.ALL : request.dominantShareOf(node.allocatable());
        // A node that has shrunk since the promise may have less than the pod requests.
        return share.min(Share.ALL).of(node.price());
    }
}
