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
 * @param held what gangs that have not ended were promised to cost, and their next grace if they run past that
 * @param debt what runs beyond their promises have cost in earlier periods that their budgets did not pay
 */
public record AccountBalance(Interval period, Money amount, Charge spent, Cost held, Cost debt) {
    /** What may still be promised; nothing if overruns, or a budget that was lowered, passed it. */
    public Cost left() {
        return difference().orNothing();
    }

    public boolean overdrawn() {
        return difference().compareTo(Cost.ZERO) < 0;
    }

    /** What is left less what is owed; negative if the period cannot pay. */
    Cost difference() {
        return Cost.of(amount).minus(debt).minus(spent.total()).minus(held);
    }
}
