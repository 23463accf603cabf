package io.slotwise.core.combination;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a choice must stay within, as the groups of one block see it.
 *
 * @param limit on the sum of weights
 * @param measuredAccount the account whose charges are the weights; null: the items' own weights are
 * @param accounts the other accounts that bind in this block
 * @param shift bits that values lose so that their sums fit; 0 but for absurd figures
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

    /** The index of the account among those that bind; -1: it is not one of them. */
    int index(@Nullable Account account) {
        return account == null ? -1 : accounts.indexOf(account);
    }

    long left(int account) {
        return accounts.get(account).left().microSecondsPerHour();
    }

    /** Whether the item alone stays within the limit and within its account. */
    boolean admit(Item item) {
        Account account = item.account();
        return weight(item) <= limit
                && (account == null || item.charge() <= account.left().microSecondsPerHour());
    }
}
