package io.slotwise.web.board;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.live.record.GangRecord;
import io.slotwise.web.board.Board.Purchase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bought nodes with the state of their purchase and their gang, from the records of gangs. */
final class BoardPurchases {
    private final BoardInput input;
    private final Map<String, Order> orders = new HashMap<>();

    private record Order(GangId gang, PurchaseOrder order) {}

    BoardPurchases(BoardInput input) {
        this.input = input;
        for (GangRecord record : input.records()) {
            Promise promise = record.promise();
            if (promise != null) {
                promise.orders().forEach(order -> orders.put(order.node(), new Order(record.gang(), order)));
            }
        }
    }

    /** Returns the purchase of a node. Its name is that of the node until the node exists, and then a label. */
    @Nullable
    Purchase of(Node node) {
        String name = node.labels().getOrDefault(AnnotationKeys.PURCHASE, node.name());
        Order order = orders.get(name);
        boolean isThere = !name.equals(node.name());
        if (order == null) {
            return isThere || node.labels().containsKey(AnnotationKeys.BOUGHT)
                    ? new Purchase(name, Purchase.State.BOUGHT, null, null, null, null, null, null)
                    : null;
        }
        return new Purchase(
                name,
                isThere
                        ? Purchase.State.BOUGHT
                        : input.now() < order.order().bought() ? Purchase.State.PLANNED : Purchase.State.STARTING,
                order.order().offer(),
                order.gang().toString(),
                order.order().bought(),
                order.order().ready(),
                order.order().end(),
                new Cost(order.order().bill()).shown());
    }

    /** Returns the totals of purchases. Null if nothing can be bought. */
    Board.@Nullable Buying altogether() {
        Provisioning provisioning = input.policy().provisioning();
        List<NodeOffer> offers = input.snapshot().offers();
        if (provisioning.mode() == Provisioning.Mode.NONE || offers.isEmpty()) {
            return null;
        }
        Provisioning.Spending spending = provisioning.maxSpend();
        Period period = spending == null ? Period.MONTH : spending.period();
        boolean knows = input.planner().planning();
        return new Board.Buying(
                provisioning.mode().key(),
                knows ? Integer.valueOf(input.snapshot().holdings().nodes()) : null,
                provisioning.maxNodes(),
                knows
                        ? Expense.within(input.snapshot().holdings().expenses(), period.holding(input.now()))
                                .shown()
                        : null,
                spending == null ? null : spending.amount().toString(),
                period.key(),
                offers.size(),
                (int) offers.stream().filter(offer -> offer.most() == 0).count());
    }
}
