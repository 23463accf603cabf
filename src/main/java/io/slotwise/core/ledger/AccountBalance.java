package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;

/**
 * How a namespace stands in one period.
 *
 * @param interval first second and the first one after it
 * @param amount its budget
 * @param charge what ended gangs were charged
 * @param heldCost what gangs that have not ended were promised to cost, and their next grace if they run past that
 * @param debtCost what runs beyond their promises have cost in earlier periods that their budgets did not pay
 */
public record AccountBalance(Interval interval, Money amount, Charge charge, Cost heldCost, Cost debtCost) {
    /** What may still be promised; nothing if overruns, or a budget that was lowered, passed it. */
    public Cost left() {
        return difference().orNothing();
    }

    public boolean overdrawn() {
        return difference().compareTo(Cost.ZERO) < 0;
    }

    /** What is left less what is owed; negative if the period cannot pay. */
    Cost difference() {
        return Cost.of(amount).minus(debtCost).minus(charge.total()).minus(heldCost);
    }
}
