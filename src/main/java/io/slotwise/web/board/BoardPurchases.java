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

/** Which nodes are bought, how far that has come, and for which gang: as the records of gangs say. */
final class BoardPurchases {
    private final BoardInput scene;
    private final Map<String, Order> orders = new HashMap<>();

    private record Order(GangId gang, PurchaseOrder of) {}

    BoardPurchases(BoardInput scene) {
        this.scene = scene;
        for (GangRecord standing : scene.standings()) {
            Promise promise = standing.promise();
            if (promise != null) {
                promise.orders().forEach(order -> orders.put(order.node(), new Order(standing.gang(), order)));
            }
        }
    }

    /** How a node is bought: under its purchase's name until it is there, and then it has that for a label. */
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
                        : scene.now() < order.of().bought() ? Purchase.State.PLANNED : Purchase.State.STARTING,
                order.of().offer(),
                order.gang().toString(),
                order.of().bought(),
                order.of().ready(),
                order.of().end(),
                new Cost(order.of().bill()).shown());
    }

    /** All of it; null: nothing can be bought. */
    Board.@Nullable Buying altogether() {
        Provisioning allowed = scene.policy().provisioning();
        List<NodeOffer> offers = scene.snapshot().offers();
        if (allowed.mode() == Provisioning.Mode.NONE || offers.isEmpty()) {
            return null;
        }
        Provisioning.Spending most = allowed.maxSpend();
        Period period = most == null ? Period.MONTH : most.period();
        boolean knows = scene.planner().planning();
        return new Board.Buying(
                allowed.mode().key(),
                knows ? Integer.valueOf(scene.snapshot().bought().nodes()) : null,
                allowed.maxNodes(),
                knows
                        ? Expense.within(scene.snapshot().bought().expenses(), period.holding(scene.now()))
                                .shown()
                        : null,
                most == null ? null : most.amount().toString(),
                period.key(),
                offers.size(),
                (int) offers.stream().filter(offer -> offer.most() == 0).count());
    }
}
