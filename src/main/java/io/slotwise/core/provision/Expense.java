package io.slotwise.core.provision;

import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
import java.util.Collection;

/**
 * What a node cost that was bought, whatever has become of it.
 *
 * @param bought the second of the purchase, since the epoch
 * @param bill all that is paid for it
 */
public record Expense(long bought, Cost bill) {
    /** What all those cost together that were bought in the same period as a second. */
    public static Cost within(Collection<Expense> all, Period period, long second) {
        return all.stream()
                .filter(one -> period.holding(one.bought()).equals(period.holding(second)))
                .map(Expense::bill)
                .reduce(Cost.ZERO, Cost::plus);
    }
}
