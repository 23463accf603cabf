package io.slotwise.core.provision;

import io.slotwise.core.gang.GangId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are bought ahead, for no gang yet: of each offer so many are to be there with nothing on them, so that a
 * gang that fits into what is left of their time starts at once. Each is bought for the same time; one that ends before
 * another one could be ready counts no more, nor does one with a window on it: another one is bought in its place.
 *
 * @param nodes how many of which offer, by its name; each positive
 * @param time for which a node is bought, seconds, positive
 */
public record Headroom(SortedMap<String, Integer> nodes, long time) {
    /** For whom such nodes are bought: no gang has an empty namespace. */
    public static final GangId BUYER = new GangId("", "headroom");

    /** For how long nodes are bought if the policy does not say it, seconds. */
    public static final long USUAL_TIME = 3600;

    /** No node is bought ahead. */
    public static final Headroom NONE = new Headroom(Collections.emptySortedMap(), USUAL_TIME);

    public Headroom {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        if (time <= 0 || time > Billing.LONGEST) {
            throw new IllegalArgumentException(
                    "The time of headroom (%d s) must be positive and at most %d s.".formatted(time, Billing.LONGEST));
        }
        nodes.forEach((offer, count) -> {
            if (count <= 0) {
                throw new IllegalArgumentException(
                        "The headroom (%d nodes) of offer (%s) must be positive.".formatted(count, offer));
            }
        });
    }

    /** Whether nothing is bought ahead. */
    public boolean isNone() {
        return nodes.isEmpty();
    }

    /** For whom a node is bought, in words. */
    public static String words(GangId buyer) {
        return buyer.equals(BUYER) ? buyer.name() : buyer.toString();
    }

    /**
     * What is to be bought now, within all limits of the market; by the offers' names.
     *
     * @param idle the nodes that were bought ahead and have nothing on them
     * @param market with these nodes among what was bought before
     */
    public List<Purchase> missing(Collection<PurchaseOrder> idle, NodeMarket market, long now) {
        List<Purchase> missing = new ArrayList<>();
        NodeMarket rest = market;
        for (Map.Entry<String, Integer> wanted : nodes.entrySet()) {
            NodeOffer offer = offer(market, wanted.getKey());
            int there = counted(idle, wanted.getKey(), market, now).size();
            for (int number = there; offer != null && number < wanted.getValue(); number++) {
                Purchase more = new Purchase(
                        PurchaseOrder.name(BUYER, offer.name() + "-" + number, now),
                        offer,
                        BUYER,
                        now,
                        offer.node().price().at(now),
                        time);
                if (!rest.allows(List.of(more))) {
                    break;
                }
                rest = rest.after(List.of(more));
                missing.add(more);
            }
        }
        return missing;
    }

    /** Those of the idle nodes that are too many; of two the one whose time ends first. */
    public List<PurchaseOrder> surplus(Collection<PurchaseOrder> idle, NodeMarket market, long now) {
        return idle.stream()
                .map(PurchaseOrder::offer)
                .distinct()
                .sorted()
                .flatMap(offer -> counted(idle, offer, market, now).stream().skip(nodes.getOrDefault(offer, 0)))
                .toList();
    }

    /** The next second after {@code now} in which one of the idle nodes counts no more; empty: there is none. */
    public static OptionalLong nextChange(Collection<PurchaseOrder> idle, NodeMarket market, long now) {
        return idle.stream()
                .mapToLong(order -> order.end() - delay(market, order.offer()))
                .filter(second -> second > now)
                .min();
    }

    /** The idle nodes of an offer that are there when one that is bought now would be ready, the last to end first. */
    private static List<PurchaseOrder> counted(
            Collection<PurchaseOrder> idle, String offer, NodeMarket market, long now) {
        return idle.stream()
                .filter(order -> order.offer().equals(offer) && order.end() > now + delay(market, offer))
                .sorted(Comparator.comparingLong(PurchaseOrder::end).reversed().thenComparing(PurchaseOrder::node))
                .toList();
    }

    private static long delay(NodeMarket market, String name) {
        NodeOffer offer = offer(market, name);
        return offer == null ? 0 : offer.billing().delay();
    }

    private static @Nullable NodeOffer offer(NodeMarket market, String name) {
        return market.offers().stream()
                .filter(offer -> offer.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
