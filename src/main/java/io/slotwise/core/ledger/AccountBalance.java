package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;

/**
 * How a namespace stands in one period.
 *
 * @param period first second and the first one after it
 * @param amount its budget
 * @param spent what ended gangs were charged
 * @param held what gangs that have not ended were promised to cost
 */
public record AccountBalance(Interval period, Money amount, Charge spent, Cost held) {
    /** What may still be promised; nothing if overruns, or a budget that was lowered, passed it. */
    public Cost left() {
        return Cost.of(amount).minus(spent.total()).minus(held).orNothing();
    }
}
