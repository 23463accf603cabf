package io.slotwise.core.provision;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The nodes that can be bought, and the purchases that count against the limits.
 *
 * @param bought the purchases of this plan so far
 * @param holdings the purchases of earlier plans
 */
public record NodeMarket(
        List<NodeOffer> offers, Provisioning provisioning, List<Purchase> bought, NodeHoldings holdings) {
    public NodeMarket {
        offers = List.copyOf(offers);
        bought = List.copyOf(bought);
        Set<String> names = new HashSet<>();
        for (NodeOffer offer : offers) {
            if (!names.add(offer.name())) {
                throw new IllegalArgumentException("The offer (%s) must not appear twice.".formatted(offer.name()));
            }
        }
    }

    public NodeMarket after(List<Purchase> more) {
        List<Purchase> all = new ArrayList<>(bought);
        all.addAll(more);
        return new NodeMarket(offers, provisioning, all, holdings);
    }

    /** Returns how many more nodes the policy allows, not positive if none. */
    int nodesLeft() {
        return provisioning.maxNodes() - bought.size() - holdings.nodes();
    }

    /**
     * Returns whether a search for bought nodes is useless: no node may be bought, and this plan has bought none that
     * could have idle room.
     */
    public boolean isClosed() {
        return bought.isEmpty() && (nodesLeft() <= 0 || offers.stream().allMatch(offer -> offer.most() <= 0));
    }

    /**
     * Returns whether a gang might run on a bought node. Either this plan has bought one already, or one of the gang's
     * pods fits on a node of an offer. That node must not cost more than the gang's budget, at the offer's lowest price
     * and for the pod's runtime on it. Otherwise no search finds a window on bought nodes. O(offers x shapes).
     */
    public boolean serves(Gang gang) {
        return !bought.isEmpty()
                || offers.stream()
                        .anyMatch(offer -> isFor(offer, gang)
                                && offer.bill(
                                                        offer.node().price().min(),
                                                        gang.shapes()
                                                                .getFirst()
                                                                .request()
                                                                .durationOn(offer.node()
                                                                        .performance()))
                                                .compareTo(gang.budget().limit())
                                        <= 0);
    }

    private boolean isFor(NodeOffer offer, Gang gang) {
        return left(offer) > 0
                && gang.shapes().stream()
                        .map(Gang.Shape::request)
                        .anyMatch(request -> request.constraint().exclusion(offer.node()) == null
                                && offer.node()
                                                .allocatable()
                                                .times(request.resources().amounts())
                                        > 0);
    }

    /** Returns how many nodes of offers with this quota are bought, in this plan and in earlier ones. */
    long nodes(PurchaseQuota quota) {
        return of(quota).size() + ordered(quota).count();
    }

    /** Returns how many nodes of an offer can still be bought, regardless of other offers. */
    long left(NodeOffer offer) {
        long taken = bought.stream()
                        .filter(purchase -> purchase.offer().name().equals(offer.name()))
                        .count()
                + holdings.orders().stream()
                        .filter(order -> order.offer().equals(offer.name()))
                        .count();
        return Math.min(offer.most() - taken, Math.min(offer.quota().nodes() - nodes(offer.quota()), nodesLeft()));
    }

    long amount(PurchaseQuota quota, String resource) {
        return Stream.concat(
                        of(quota).stream().map(Purchase::offer), ordered(quota).map(this::offer))
                .mapToLong(offer -> offer.resources().get(resource))
                .reduce(0, Math::addExact);
    }

    Cost spent(PurchaseQuota quota) {
        return Stream.concat(
                        of(quota).stream().map(Purchase::bill), ordered(quota).map(order -> new Cost(order.bill())))
                .reduce(Cost.ZERO, Cost::plus);
    }

    List<Provisioning.SpendingLimit> spending(Gang gang) {
        List<Expense> expenses = new ArrayList<>(holdings.expenses());
        bought.forEach(purchase -> expenses.add(purchase.expense()));
        return provisioning.limits(gang.id().namespace(), expenses);
    }

    /** Returns the orders of earlier plans that count against a quota and whose offers still exist. */
    private Stream<PurchaseOrder> ordered(PurchaseQuota quota) {
        return holdings.orders().stream()
                .filter(order -> offers.stream()
                        .anyMatch(offer -> offer.name().equals(order.offer())
                                && offer.quota().name().equals(quota.name())));
    }

    private NodeOffer offer(PurchaseOrder order) {
        return offers.stream()
                .filter(offer -> offer.name().equals(order.offer()))
                .findFirst()
                .orElseThrow();
    }

    private List<Purchase> of(PurchaseQuota quota) {
        return bought.stream()
                .filter(purchase -> purchase.offer().quota().name().equals(quota.name()))
                .toList();
    }
}
