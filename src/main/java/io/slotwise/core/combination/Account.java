package io.slotwise.core.combination;

import io.slotwise.core.money.Cost;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The money that is left for gangs that start in one period, {@code [start, end)}.
 *
 * @param holder the namespace, or what {@link #ofQueue} returns for a queue
 */
public record Account(String holder, long start, long end, Cost left) implements Comparable<Account> {
    /** No namespace has a space in its name. */
    private static final String QUEUE = "queue ";

    private static final Comparator<Account> ORDER =
            Comparator.comparing(Account::holder).thenComparingLong(Account::start);

    public Account {
        if (start >= end) {
            throw new IllegalArgumentException("The period of the account of %s must begin (%d) before it ends (%d)."
                    .formatted(words(holder), start, end));
        }
        if (left.compareTo(Cost.ZERO) < 0) {
            throw new IllegalArgumentException(
                    "What is left (%s) to %s must not be negative.".formatted(left, words(holder)));
        }
    }

    /** Returns the holder of the accounts of a queue. */
    public static String ofQueue(String queue) {
        return QUEUE + queue;
    }

    /** Returns the queue whose account it is, or null for a namespace's account. */
    public @Nullable String queue() {
        return holder.startsWith(QUEUE) ? holder.substring(QUEUE.length()) : null;
    }

    /** Returns a holder in words, such as {@code namespace (lab)} or {@code queue (physics)}. */
    public static String words(String holder) {
        return holder.startsWith(QUEUE)
                ? "queue (%s)".formatted(holder.substring(QUEUE.length()))
                : "namespace (%s)".formatted(holder);
    }

    /** Returns whether a window that starts at this second is charged to the account. */
    public boolean covers(long second) {
        return start <= second && second < end;
    }

    /** Returns the account after a charge. An overdrawn account has nothing left. */
    public Account charged(Cost cost) {
        return new Account(holder, start, end, left.minus(cost).orNothing());
    }

    @Override
    public int compareTo(Account other) {
        return ORDER.compare(this, other);
    }
}
