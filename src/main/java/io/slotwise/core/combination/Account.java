package io.slotwise.core.combination;

import io.slotwise.core.money.Cost;
import java.util.Comparator;

/** The money that a namespace has left for gangs that start in one period, {@code [start, end)}. */
public record Account(String namespace, long start, long end, Cost left) implements Comparable<Account> {
    private static final Comparator<Account> ORDER =
            Comparator.comparing(Account::namespace).thenComparingLong(Account::start);

    public Account {
        if (start >= end) {
            throw new IllegalArgumentException(
                    "The period of the account of namespace (%s) must begin (%d) before it ends (%d)."
                            .formatted(namespace, start, end));
        }
        if (left.compareTo(Cost.ZERO) < 0) {
            throw new IllegalArgumentException(
                    "What is left (%s) to namespace (%s) must not be negative.".formatted(left, namespace));
        }
    }

    /** Returns whether a window that starts at this second is charged to the account. */
    public boolean covers(long second) {
        return start <= second && second < end;
    }

    /** Returns the account after a charge. An overdrawn account has nothing left. */
    public Account charged(Cost cost) {
        return new Account(namespace, start, end, left.minus(cost).orNothing());
    }

    @Override
    public int compareTo(Account other) {
        return ORDER.compare(this, other);
    }
}
