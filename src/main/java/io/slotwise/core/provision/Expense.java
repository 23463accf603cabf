package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import java.util.Collection;

/**
 * What a node cost that was bought, whatever has become of it.
 *
 * @param bought the second of the purchase, since the epoch
 * @param bill all that is paid for it
 * @param namespace of the gang for which it was bought
 */
public record Expense(long bought, Cost bill, String namespace) {
    /** What all those cost together that were bought in these seconds. */
    public static Cost within(Collection<Expense> all, Interval period) {
        return all.stream()
                .filter(expense -> period.start() <= expense.bought() && expense.bought() < period.end())
                .map(Expense::bill)
                .reduce(Cost.ZERO, Cost::plus);
    }
}
