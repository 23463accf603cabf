package io.slotwise.core.provision;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A kind of node that can be bought. Its capacity type, such as spot, is a label of the node, as its zone is.
 *
 * @param node the future node, under the offer's name; its price at a second applies to the whole bill of a node bought
 *     then
 * @param hazard how often such a node is reclaimed, millionths an hour; 0 if it stays
 * @param resources what one node counts against the resources of its quota
 * @param most the number of nodes of this offer, regardless of its quota
 */
public record NodeOffer(Node node, Billing billing, PurchaseQuota quota, long hazard, Resources resources, int most) {
    /** A probability of 1, and the highest rate of reclaims in an hour. */
    public static final long ALL = 1_000_000;

    private static final String HOSTNAME = "kubernetes.io/hostname";

    /** An offer whose nodes count with their allocatable resources, and whose number only the quota bounds. */
    public NodeOffer(Node node, Billing billing, PurchaseQuota quota, long hazard) {
        this(node, billing, quota, hazard, node.allocatable(), Integer.MAX_VALUE);
    }

    public NodeOffer {
        if (hazard < 0 || hazard > ALL) {
            throw new IllegalArgumentException(
                    "The hazard (%d millionths an hour) of offer (%s) must be between 0 and %d."
                            .formatted(hazard, node.name(), ALL));
        }
    }

    /** Returns an offer without further nodes. Nodes bought before still count. */
    public NodeOffer closed() {
        return new NodeOffer(node, billing, quota, hazard, resources, 0);
    }

    /** Returns an offer whose expected delay follows from observed delays. */
    public NodeOffer learning(StartDelays seenDelays) {
        long delay = seenDelays.expected(billing.delay());
        return delay == billing.delay()
                ? this
                : new NodeOffer(node, billing.after(delay), quota, hazard, resources, most);
    }

    public String name() {
        return node.name();
    }

    /** Returns a node of the offer, named and hosted as {@code name}, with this price and unavailable intervals. */
    Node node(String name, StepFunction price, List<Interval> unavailable) {
        Map<String, String> labels = new HashMap<>(node.labels());
        labels.put(HOSTNAME, name);
        return node.withName(name)
                .withLabels(labels)
                .withPrice(price)
                .withUnavailable(unavailable)
                .withUnreadable(Set.of());
    }

    /** Returns the bill of a node bought at this price, millionths an hour, and used for {@code use} seconds. */
    Cost bill(long price, long use) {
        return Cost.product(price, billing.billed(use));
    }
}
