package io.slotwise.core.provision;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The limits on buying nodes together, each a bound on a sum over the nodes. Limits that cannot be exceeded are left
 * out.
 */
final class PurchaseLimits {
    /** The value for no limit: the sum with any weight is exact. */
    private static final long MOST = Long.MAX_VALUE / 4;

    private static final long SECONDS_PER_HOUR = 3600;

    private final List<long[]> weights = new ArrayList<>();
    private final List<Long> left = new ArrayList<>();

    /** Creates the limits on these lots for a range of starts that includes {@code first}. */
    PurchaseLimits(NodeMarket market, Gang gang, List<PricedOffer> offers, long first) {
        Provisioning provisioning = market.provisioning();
        add(offers, market.nodesLeft(), _ -> 1);
        add(offers, provisioning.spotRisk() * SECONDS_PER_HOUR, PricedOffer::risk);
        Map<String, PurchaseQuota> quotas = new LinkedHashMap<>();
        offers.forEach(offer ->
                quotas.putIfAbsent(offer.offer().quota().name(), offer.offer().quota()));
        quotas.values().forEach(quota -> add(market, offers, quota));
        for (Provisioning.SpendingLimit spendingLimit : market.spending(gang)) {
            SortedMap<Long, Interval> periods = new TreeMap<>();
            offers.forEach(offer -> {
                Interval interval = spendingLimit.period(purchase(offer, first));
                periods.put(interval.start(), interval);
            });
            periods.values()
                    .forEach(interval -> add(
                            offers,
                            narrow(spendingLimit.left(interval.start())),
                            offer ->
                                    spendingLimit.period(purchase(offer, first)).equals(interval) ? offer.bill() : 0));
        }
    }

    private static long purchase(PricedOffer offer, long first) {
        return first - offer.offer().billing().delay();
    }

    private void add(NodeMarket market, List<PricedOffer> offers, PurchaseQuota quota) {
        add(offers, quota.nodes() - market.nodes(quota), offer -> of(offer, quota, 1));
        quota.resources()
                .asMap()
                .forEach((resource, most) -> add(
                        offers,
                        most - market.amount(quota, resource),
                        offer -> of(offer, quota, offer.offer().resources().get(resource))));
        if (quota.money() != null) {
            add(
                    offers,
                    narrow(Cost.of(quota.money()).minus(market.spent(quota))),
                    offer -> of(offer, quota, offer.bill()));
        }
    }

    private static long of(PricedOffer offer, PurchaseQuota quota, long weight) {
        return offer.offer().quota().name().equals(quota.name()) ? weight : 0;
    }

    private static long narrow(Cost cost) {
        return cost.exact()
                .min(BigInteger.valueOf(MOST))
                .max(BigInteger.valueOf(-1))
                .longValueExact();
    }

    private void add(List<PricedOffer> offers, long most, ToLongFunction<PricedOffer> weight) {
        long[] each = offers.stream().mapToLong(weight).toArray();
        BigInteger all = BigInteger.ZERO;
        for (int i = 0; i < each.length; i++) {
            all = all.add(BigInteger.valueOf(each[i])
                    .multiply(BigInteger.valueOf(offers.get(i).names().size())));
        }
        if (all.compareTo(BigInteger.valueOf(most)) > 0) {
            weights.add(each);
            left.add(most);
        }
    }

    int size() {
        return left.size();
    }

    long weight(int limit, int index) {
        return weights.get(limit)[index];
    }

    long left(int limit) {
        return left.get(limit);
    }
}
