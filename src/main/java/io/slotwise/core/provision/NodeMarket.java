package io.slotwise.core.provision;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What can be bought, beside what is bought before and so far in this plan. */
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

    /** The same once these nodes are bought, too. */
    public NodeMarket after(List<Purchase> more) {
        List<Purchase> all = new ArrayList<>(bought);
        all.addAll(more);
        return new NodeMarket(offers, provisioning, all, holdings);
    }

    /** How many nodes the policy lets one buy besides these; not positive: none. */
    int nodesLeft() {
        return provisioning.maxNodes() - bought.size() - holdings.nodes();
    }

    /** Whether there is nothing to look for: no node may be bought, and none is bought that could leave some idle. */
    public boolean isClosed() {
        return bought.isEmpty() && (nodesLeft() <= 0 || offers.stream().allMatch(offer -> offer.most() <= 0));
    }

    /**
     * Whether a gang might be on a node that is bought: there is one, or one of an offer holds one of its pods and
     * costs no more than its budget at the offer's lowest price, for as long as its pods take on it. If not, no search
     * finds a window on such a node. O(offers x shapes).
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

    /** How many nodes of offers with this quota are bought. */
    long nodes(PurchaseQuota quota) {
        return of(quota).size() + ordered(quota).count();
    }

    /** How many nodes of an offer can still be bought, whatever other offers have. */
    long left(NodeOffer offer) {
        long taken = bought.stream()
                        .filter(purchase -> purchase.offer().name().equals(offer.name()))
                        .count()
                + holdings.orders().stream()
                        .filter(order -> order.offer().equals(offer.name()))
                        .count();
        return Math.min(offer.most() - taken, Math.min(offer.quota().nodes() - nodes(offer.quota()), nodesLeft()));
    }

    /** How much of a resource is bought with this quota. */
    long amount(PurchaseQuota quota, String resource) {
        return Stream.concat(
                        of(quota).stream().map(Purchase::offer), ordered(quota).map(this::offer))
                .mapToLong(offer -> offer.resources().get(resource))
                .reduce(0, Math::addExact);
    }

    /** What is spent of this quota. */
    Cost spent(PurchaseQuota quota) {
        return Stream.concat(
                        of(quota).stream().map(Purchase::bill), ordered(quota).map(order -> new Cost(order.bill())))
                .reduce(Cost.ZERO, Cost::plus);
    }

    /** What limits the spending of a gang. */
    List<Provisioning.SpendingLimit> spending(Gang gang) {
        List<Expense> expenses = new ArrayList<>(holdings.expenses());
        bought.forEach(purchase -> expenses.add(purchase.expense()));
        return provisioning.limits(gang.id().namespace(), expenses);
    }

    /** What was ordered before with a quota, as far as it is still offered. */
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
