package io.slotwise.core.provision;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.List;

/**
 * A node that is bought.
 *
 * @param price the price of the whole node at the purchase, millionths an hour
 * @param use for how many seconds from its first one the gang needs the node
 */
public record Purchase(String node, NodeOffer offer, GangId gang, long bought, long price, long use) {
    /** Returns the first second in which pods can be on the node. */
    public long ready() {
        return bought + offer.billing().delay();
    }

    /** Returns the first second after those in which pods can be on the node for the same bill. */
    public long end() {
        return ready() + offer.billing().paid(use);
    }

    /** Returns the first second that is not paid. */
    public long gone() {
        return bought + offer.billing().billed(use);
    }

    public PurchaseOrder order() {
        return PurchaseOrder.of(this);
    }

    /** Returns the permanent name of the node. {@link #node} is unique in one plan only. */
    public String lasting() {
        return PurchaseOrder.name(gang, node, bought);
    }

    public Expense expense() {
        return new Expense(bought, bill(), gang.namespace());
    }

    Purchase named(String other) {
        return new Purchase(other, offer, gang, bought, price, use);
    }

    public Cost bill() {
        return offer.bill(price, use);
    }

    /** Returns the node as other gangs see it: for as long as it is paid, at the price of the purchase. */
    public Node seen(long now) {
        List<Interval> unavailable = new ArrayList<>();
        if (ready() > now) {
            unavailable.add(new Interval(now, ready()));
        }
        unavailable.add(new Interval(end(), Interval.FOREVER));
        return offer.node(node, StepFunction.constant(price), unavailable);
    }
}
