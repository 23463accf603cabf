package io.slotwise.core.provision;

import java.util.ArrayList;
import java.util.List;

/**
 * The sets of nodes that are worth buying for a gang, within all limits. A set is left out if another one makes it
 * useless. That one takes as many pods of each kind, is ready no later, has no more risk, uses no more of any limit and
 * costs no more.
 *
 * <p>Offer by offer, each set so far is combined with every number of the next offer's nodes, and useless sets are
 * dropped at once: whatever is added to both, the better one stays no worse. A gang of n pods needs at most n nodes.
 * O(L n S d) for L lots and S sets with d figures, with S bounded.
 */
final class NodeBaskets {
    private static final int MOST = 1024;

    private final List<NodeBasket> all;
    private boolean bounded;

    /** Computes the sets of nodes that can be bought from second {@code now} on. */
    NodeBaskets(List<PricedOffer> offers, int kinds, PurchaseLimits limits, long now, int pods) {
        List<NodeBasket> sets = List.of(NodeBasket.empty(offers.size(), kinds, limits.size(), now));
        for (int i = 0; i < offers.size(); i++) {
            PricedOffer offer = offers.get(i);
            List<NodeBasket> grown = new ArrayList<>();
            for (NodeBasket basket : sets) {
                grown.add(basket);
                NodeBasket next = basket;
                while (next.count(i) < offer.names().size()
                        && next.nodes() < pods
                        && next.podCount(offer.kind()) < pods) {
                    next = next.with(i, offer, limits, now, pods);
                    if (!next.isAllowed(limits)) {
                        break;
                    }
                    grown.add(next);
                }
            }
            sets = useful(grown);
        }
        this.all = sets;
    }

    private List<NodeBasket> useful(List<NodeBasket> sets) {
        List<NodeBasket> sorted = sets.stream().sorted(NodeBasket.ORDER).toList();
        List<NodeBasket> useful = new ArrayList<>();
        for (NodeBasket setBasket : sorted) {
            if (useful.stream().noneMatch(betterBasket -> betterBasket.replaces(setBasket))) {
                if (useful.size() == MOST) {
                    bounded = true;
                    break;
                }
                useful.add(setBasket);
            }
        }
        return useful;
    }

    /** Returns the sets, the cheapest first. The first one is empty. */
    List<NodeBasket> all() {
        return all;
    }

    boolean bounded() {
        return bounded;
    }
}
