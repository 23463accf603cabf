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
 * @param node as it would be, under the offer's name; its price is what a node costs whose purchase falls into that
 *     second, for all of its bill
 * @param hazard how often such a node is taken away, millionths an hour; 0: it stays
 * @param resources what one node counts against the resources of its quota
 * @param most how many nodes of this offer there are, whatever its quota says
 */
public record NodeOffer(Node node, Billing billing, PurchaseQuota quota, long hazard, Resources resources, int most) {
    /** The whole of a probability, and the most often that a node is taken away in an hour. */
    public static final long ALL = 1_000_000;

    private static final String HOSTNAME = "kubernetes.io/hostname";

    /** An offer whose nodes count with what pods may use of them, and of which there are as many as its quota says. */
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

    /** The same of which no node can be bought any more; those that were bought count. */
    public NodeOffer closed() {
        return new NodeOffer(node, billing, quota, hazard, resources, 0);
    }

    /** The same whose nodes are expected to take as long as those that were seen. */
    public NodeOffer learning(StartDelays seenDelays) {
        long delay = seenDelays.expected(billing.delay());
        return delay == billing.delay()
                ? this
                : new NodeOffer(node, billing.after(delay), quota, hazard, resources, most);
    }

    public String name() {
        return node.name();
    }

    /** A node of it, under its own and its host's name, at this price over time, and not there in these intervals. */
    Node node(String name, StepFunction price, List<Interval> away) {
        Map<String, String> labels = new HashMap<>(node.labels());
        labels.put(HOSTNAME, name);
        return node.withName(name)
                .withLabels(labels)
                .withPrice(price)
                .withUnavailable(away)
                .withUnreadable(Set.of());
    }

    /** What a node costs that is bought at this price, millionths an hour, and used for so many seconds. */
    Cost bill(long price, long use) {
        return Cost.product(price, billing.billed(use));
    }
}
