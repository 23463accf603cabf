package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import java.util.Collection;

/** What a node cost that was bought in this second since the epoch, whatever has become of it. */
public record Expense(long bought, Cost cost, String namespace) {
    /** What all those cost together that were bought in these seconds. */
    public static Cost within(Collection<Expense> all, Interval interval) {
        return all.stream()
                .filter(expense -> interval.start() <= expense.bought() && expense.bought() < interval.end())
                .map(Expense::cost)
                .reduce(Cost.ZERO, Cost::plus);
    }
}
