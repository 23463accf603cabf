package io.slotwise.core.combination;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a unit of each account is worth to the batch: the prices with which {@link Relaxation} relaxes the accounts.
 *
 * <p>The price of an account is the slope of the linear relaxation of its own groups at what is left in it: how much their
 * values would fall if it had one unit more. Any prices give a true bound, good ones a tight one.
 */
final class Multipliers {
    /** Everything for nothing. */
    static final Multipliers FREE = new Multipliers(Map.of());

    private static final long LARGEST = 1L << 54;

    private final Map<Account, Ratio> prices;

    private Multipliers(Map<Account, Ratio> prices) {
        this.prices = prices;
    }

    /** Prices for the accounts that bind; {@link #FREE} if their sums would not fit. */
    static Multipliers of(List<Group> groups) {
        Map<Account, Ratio> prices = new HashMap<>();
        for (Group group : groups) {
            for (int a = 0; a < group.bounds.accounts().size(); a++) {
                Account account = group.bounds.accounts().get(a);
                if (!prices.containsKey(account)) {
                    prices.put(account, price(groups, group.bounds, a));
                }
            }
        }
        long most = LARGEST / Math.max(1, groups.size());
        boolean fits = prices.entrySet().stream()
                .allMatch(price -> price.getValue().exact(price.getKey().left().microSecondsPerHour()) <= most);
        return fits ? new Multipliers(prices) : FREE;
    }

    /** All prices times so many sixteenths. */
    Multipliers scaled(int sixteenths) {
        Map<Account, Ratio> other = new HashMap<>();
        prices.forEach((account, price) -> other.put(account, price.scaled(sixteenths, 16)));
        return new Multipliers(other);
    }

    /** The slope of the steps along the lower hulls of (charge, value) at which the account is used up. */
    private static Ratio price(List<Group> groups, Bounds bounds, int account) {
        List<Group> own = groups.stream()
                .filter(group -> group.bounds.equals(bounds))
                .map(group -> group.chargedAsWeight(account))
                .toList();
        Relaxation relaxation = new Relaxation(own, FREE);
        relaxation.advanceTo(0);
        relaxation.bound(bounds.left(account));
        return relaxation.slope();
    }

    /** What an entry of a group pays, rounded down. */
    long price(Group group, int entry) {
        int account = group.account[entry];
        return account < 0 || prices.isEmpty()
                ? 0
                : ratio(group.bounds, account).exact(group.charge[entry]);
    }

    /** The prices of the accounts that bind for a block. */
    Ratio[] of(Bounds bounds) {
        return bounds.accounts().stream()
                .map(account -> prices.getOrDefault(account, Ratio.ZERO))
                .toArray(Ratio[]::new);
    }

    private Ratio ratio(Bounds bounds, int account) {
        return prices.getOrDefault(bounds.accounts().get(account), Ratio.ZERO);
    }
}
