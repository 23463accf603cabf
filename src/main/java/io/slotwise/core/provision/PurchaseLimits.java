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
 * All that limits how many nodes of which offers are bought together, each as a sum over the nodes that must not pass a
 * figure. Limits that cannot be passed are left out.
 */
final class PurchaseLimits {
    /** Half of what a long holds stands for no limit: the sum with any weight is exact. */
    private static final long MOST = Long.MAX_VALUE / 4;

    private static final long SECONDS_PER_HOUR = 3600;

    private final List<long[]> weights = new ArrayList<>();
    private final List<Long> left = new ArrayList<>();

    /** The limits on these lots for starts in some seconds, of which {@code first} is one. */
    PurchaseLimits(NodeMarket market, Gang gang, List<PricedOffer> lots, long first) {
        Provisioning allowed = market.allowed();
        add(lots, market.nodesLeft(), _ -> 1);
        add(lots, allowed.spotRisk() * SECONDS_PER_HOUR, PricedOffer::risk);
        Map<String, PurchaseQuota> quotas = new LinkedHashMap<>();
        lots.forEach(lot ->
                quotas.putIfAbsent(lot.offer().quota().name(), lot.offer().quota()));
        quotas.values().forEach(quota -> add(market, lots, quota));
        for (Provisioning.SpendingLimit most : market.spending(gang)) {
            SortedMap<Long, Interval> periods = new TreeMap<>();
            lots.forEach(lot -> {
                Interval period = most.period(purchase(lot, first));
                periods.put(period.start(), period);
            });
            periods.values()
                    .forEach(period -> add(
                            lots,
                            narrow(most.left(period.start())),
                            lot -> most.period(purchase(lot, first)).equals(period) ? lot.bill() : 0));
        }
    }

    private static long purchase(PricedOffer lot, long first) {
        return first - lot.offer().billing().delay();
    }

    private void add(NodeMarket market, List<PricedOffer> lots, PurchaseQuota quota) {
        add(lots, quota.nodes() - market.nodes(quota), lot -> of(lot, quota, 1));
        quota.resources()
                .asMap()
                .forEach((resource, most) -> add(
                        lots,
                        most - market.amount(quota, resource),
                        lot -> of(lot, quota, lot.offer().counted().get(resource))));
        if (quota.spend() != null) {
            add(lots, narrow(Cost.of(quota.spend()).minus(market.spent(quota))), lot -> of(lot, quota, lot.bill()));
        }
    }

    private static long of(PricedOffer lot, PurchaseQuota quota, long weight) {
        return lot.offer().quota().name().equals(quota.name()) ? weight : 0;
    }

    private static long narrow(Cost cost) {
        return cost.exact()
                .min(BigInteger.valueOf(MOST))
                .max(BigInteger.valueOf(-1))
                .longValueExact();
    }

    private void add(List<PricedOffer> lots, long most, ToLongFunction<PricedOffer> weight) {
        long[] each = lots.stream().mapToLong(weight).toArray();
        BigInteger all = BigInteger.ZERO;
        for (int i = 0; i < each.length; i++) {
            all = all.add(BigInteger.valueOf(each[i])
                    .multiply(BigInteger.valueOf(lots.get(i).names().size())));
        }
        if (all.compareTo(BigInteger.valueOf(most)) > 0) {
            weights.add(each);
            left.add(most);
        }
    }

    int size() {
        return left.size();
    }

    /** What one more node of a lot uses of a limit. */
    long weight(int limit, int lot) {
        return weights.get(limit)[lot];
    }

    /** The most that may be used of a limit. */
    long left(int limit) {
        return left.get(limit);
    }
}
