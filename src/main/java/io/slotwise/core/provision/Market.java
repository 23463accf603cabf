package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What can be bought, beside what is bought already.
 *
 * @param offers by name
 * @param allowed what the policy says
 * @param bought so far, by whomever
 */
public record Market(List<NodeOffer> offers, Provisioning allowed, List<Purchase> bought) {
    /**
     * A market.
     *
     * @throws IllegalArgumentException if two offers have the same name
     */
    public Market {
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
    public Market after(List<Purchase> more) {
        List<Purchase> all = new ArrayList<>(bought);
        all.addAll(more);
        return new Market(offers, allowed, all);
    }

    /** How many nodes of offers with this quota are bought. */
    long nodes(Quota quota) {
        return of(quota).size();
    }

    /** How much of a resource is bought with this quota. */
    long amount(Quota quota, String resource) {
        return of(quota).stream()
                .mapToLong(purchase -> purchase.offer().node().allocatable().get(resource))
                .reduce(0, Math::addExact);
    }

    /** What is spent of this quota. */
    Cost spent(Quota quota) {
        return of(quota).stream().map(Purchase::bill).reduce(Cost.ZERO, Cost::plus);
    }

    /** What is spent on purchases of these seconds. */
    Cost spent(Interval period) {
        return bought.stream()
                .filter(purchase -> period.start() <= purchase.bought() && purchase.bought() < period.end())
                .map(Purchase::bill)
                .reduce(Cost.ZERO, Cost::plus);
    }

    private List<Purchase> of(Quota quota) {
        return bought.stream()
                .filter(purchase -> purchase.offer().quota().name().equals(quota.name()))
                .toList();
    }
}
