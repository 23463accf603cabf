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
 * @param price that holds then, of the whole node, millionths an hour
 * @param use for how many seconds from its first one on the gang needs it
 */
public record Purchase(String node, NodeOffer offer, GangId gang, long bought, long price, long use) {
    /** The first second in which pods can be on it. */
    public long ready() {
        return bought + offer.billing().delay();
    }

    /** The first second after those in which pods can be on it for the same bill. */
    public long end() {
        return ready() + offer.billing().paid(use);
    }

    /** The first second for which it is not paid. */
    public long gone() {
        return bought + offer.billing().billed(use);
    }

    public PurchaseOrder order() {
        return PurchaseOrder.of(this);
    }

    /** The name under which it is bought; {@link #node} is unique in one plan only. */
    public String lasting() {
        return PurchaseOrder.name(gang, node, bought);
    }

    /** What is paid, when, and by whom. */
    public Expense expense() {
        return new Expense(bought, bill(), gang.namespace());
    }

    Purchase named(String other) {
        return new Purchase(other, offer, gang, bought, price, use);
    }

    /** All that is paid for it. */
    public Cost bill() {
        return offer.bill(price, use);
    }

    /** The node as those see it who come later: for as long as it is paid, at the price at which it was bought. */
    public Node seen(long now) {
        List<Interval> away = new ArrayList<>();
        if (ready() > now) {
            away.add(new Interval(now, ready()));
        }
        away.add(new Interval(end(), Interval.FOREVER));
        return offer.node(node, StepFunction.constant(price), away);
    }
}
