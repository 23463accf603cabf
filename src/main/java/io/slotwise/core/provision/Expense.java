package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import java.util.Collection;

/** What a node cost that was bought in this second since the epoch, whatever has become of it. */
public record Expense(long bought, Cost bill, String namespace) {
    /** What all those cost together that were bought in these seconds. */
    public static Cost within(Collection<Expense> all, Interval period) {
        return all.stream()
                .filter(expense -> period.start() <= expense.bought() && expense.bought() < period.end())
                .map(Expense::bill)
                .reduce(Cost.ZERO, Cost::plus);
    }
}
