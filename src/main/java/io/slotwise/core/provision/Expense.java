package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import java.util.Collection;

/** The cost of a node that was bought in this second since the epoch, even if it no longer exists. */
public record Expense(long bought, Cost cost, String namespace) {
    /** Returns the cost of all nodes that were bought in these seconds. */
    public static Cost within(Collection<Expense> all, Interval interval) {
        return all.stream()
                .filter(expense -> interval.start() <= expense.bought() && expense.bought() < interval.end())
                .map(Expense::cost)
                .reduce(Cost.ZERO, Cost::plus);
    }
}
