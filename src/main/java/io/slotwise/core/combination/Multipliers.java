package io.slotwise.core.combination;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The Lagrange multipliers with which {@link Relaxation} relaxes the accounts: the price of a unit of each account to
 * the batch.
 *
 * <p>The price of an account is how much the values of its own groups would fall if its balance were one unit more, in
 * their linear relaxation. Any prices give a valid lower bound. Good prices give a tight one.
 */
final class Multipliers {
    static final Multipliers FREE = new Multipliers(Map.of());

    private static final long LARGEST = 1L << 54;

    /** The largest factor that is tried for all prices together, in sixteenths. */
    private static final int LARGEST_SCALE = 256;

    /** The steps by which single prices are changed, in sixteenths of the price. */
    private static final int[] STEPS = {8, 4, 4, 2, 1};

    private static final int MOST_MOVES = 4;

    private final Map<Account, Ratio> prices;

    private Multipliers(Map<Account, Ratio> prices) {
        this.prices = prices;
    }

    /** Returns prices for the accounts that bind, or {@link #FREE} if their sums would not fit. */
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

    /**
     * Returns the prices with the highest bound that a short search finds. The bound is concave in the prices. First
     * all prices are scaled together, by the best power of two and finer steps around it. Then each account's own price
     * is changed while that raises the bound. The search computes O(accounts) bounds.
     */
    static Multipliers best(List<Group> groups, ToLongFunction<Multipliers> bound) {
        Search search = new Search(bound);
        Multipliers multipliers = of(groups);
        int at = 0;
        for (int scale = 1; scale <= LARGEST_SCALE; scale *= 2) {
            at = search.better(multipliers.scaled(scale)) ? scale : at;
        }
        for (int step = at / 2; step > 0; step /= 2) {
            at = search.better(multipliers.scaled(at - step)) ? at - step : at;
            at = search.better(multipliers.scaled(at + step)) ? at + step : at;
        }
        List<Account> accounts = multipliers.prices.keySet().stream().sorted().toList();
        if (accounts.size() > 1) {
            for (int step : STEPS) {
                accounts.forEach(account -> search.move(account, step));
            }
        }
        return search.multipliers;
    }

    private static final class Search {
        private final ToLongFunction<Multipliers> bound;
        private Multipliers multipliers = FREE;
        private long highest;

        Search(ToLongFunction<Multipliers> bound) {
            this.bound = bound;
            this.highest = bound.applyAsLong(FREE);
        }

        boolean better(Multipliers other) {
            long value = bound.applyAsLong(other);
            if (value <= highest) {
                return false;
            }
            highest = value;
            multipliers = other;
            return true;
        }

        /**
         * Raises an account's price by the given sixteenths while that raises the bound. If it never does, lowers the
         * price in the same way.
         */
        void move(Account account, int sixteenths) {
            for (int times : new int[] {16 + sixteenths, 16 - sixteenths}) {
                int moves = 0;
                while (moves < MOST_MOVES && better(multipliers.scaled(account, times))) {
                    moves++;
                }
                if (moves > 0) {
                    return;
                }
            }
        }
    }

    private Multipliers scaled(int sixteenths) {
        Map<Account, Ratio> other = new HashMap<>();
        prices.forEach((account, price) -> other.put(account, price.scaled(sixteenths, 16)));
        return new Multipliers(other);
    }

    private Multipliers scaled(Account account, int sixteenths) {
        Map<Account, Ratio> other = new HashMap<>(prices);
        other.computeIfPresent(account, (_, price) -> price.scaled(sixteenths, 16));
        return new Multipliers(other);
    }

    /** Returns the slope along the lower hulls of (charge, value) at which the account is used up. */
    private static Ratio price(List<Group> groups, ChoiceBounds bounds, int account) {
        List<Group> own = groups.stream()
                .filter(group -> group.bounds.equals(bounds))
                .map(group -> group.chargedAsWeight(account))
                .toList();
        Relaxation relaxation = new Relaxation(own, FREE);
        relaxation.advanceTo(0);
        relaxation.bound(bounds.left(account));
        return relaxation.slope();
    }

    long price(Group group, int entry) {
        int account = group.account[entry];
        return account < 0 || prices.isEmpty()
                ? 0
                : ratio(group.bounds, account).exact(group.charge[entry]);
    }

    Ratio[] of(ChoiceBounds bounds) {
        return bounds.accounts().stream()
                .map(account -> prices.getOrDefault(account, Ratio.ZERO))
                .toArray(Ratio[]::new);
    }

    private Ratio ratio(ChoiceBounds bounds, int account) {
        return prices.getOrDefault(bounds.accounts().get(account), Ratio.ZERO);
    }
}
