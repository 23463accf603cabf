package io.slotwise.core.combination;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a choice for the groups of one block.
 *
 * @param limit on the sum of weights
 * @param measuredAccount the account whose charges are the weights, or null if the items' own weights are
 * @param accounts the other accounts that bind in this block
 * @param shift the bits that values lose so that their sums fit; 0 except for absurd figures
 */
record ChoiceBounds(long limit, @Nullable Account measuredAccount, List<Account> accounts, int shift) {
    ChoiceBounds {
        accounts = List.copyOf(accounts);
    }

    ChoiceBounds with(@Nullable Account account, List<Account> others) {
        return new ChoiceBounds(account == null ? limit : account.left().microSecondsPerHour(), account, others, shift);
    }

    boolean limited() {
        return limit != Knapsack.UNLIMITED;
    }

    long value(Item item) {
        return item.value() >> shift;
    }

    long weight(Item item) {
        if (measuredAccount != null) {
            return measuredAccount.equals(item.account()) ? item.charge() : 0;
        }
        return limited() ? item.weight() : 0;
    }

    /** Returns the index of the account among those that bind, or -1. */
    int index(@Nullable Account account) {
        return account == null ? -1 : accounts.indexOf(account);
    }

    long left(int account) {
        return accounts.get(account).left().microSecondsPerHour();
    }

    boolean admit(Item item) {
        Account account = item.account();
        return weight(item) <= limit
                && (account == null || item.charge() <= account.left().microSecondsPerHour());
    }
}
