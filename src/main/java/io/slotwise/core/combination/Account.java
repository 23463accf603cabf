package io.slotwise.core.combination;

import io.slotwise.core.money.Cost;
import java.util.Comparator;

/** What the gangs of a namespace may still cost together if they start in one period, {@code [start, end)}. */
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

    /** Whether a window that starts at this second is charged to it. */
    public boolean covers(long second) {
        return start <= second && second < end;
    }

    /** The account after a charge; an account that is overdrawn has nothing left. */
    public Account charged(Cost cost) {
        return new Account(namespace, start, end, left.minus(cost).orNothing());
    }

    @Override
    public int compareTo(Account other) {
        return ORDER.compare(this, other);
    }
}
