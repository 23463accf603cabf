package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;

/**
 * The balance of a namespace in one period.
 *
 * @param interval first second and the first one after it
 * @param amount the budget
 * @param charge what ended gangs were charged
 * @param heldCost the promised costs of gangs that have not ended, and the next grace of overrunning gangs
 * @param debtCost the cost of overruns in earlier periods that their budgets did not pay
 */
public record AccountBalance(Interval interval, Money amount, Charge charge, Cost heldCost, Cost debtCost) {
    /** Returns what may still be promised, zero if overruns or a lowered budget exceed it. */
    public Cost left() {
        return difference().orNothing();
    }

    public boolean overdrawn() {
        return difference().compareTo(Cost.ZERO) < 0;
    }

    /** Returns the rest minus the debt, negative if the period cannot pay. */
    Cost difference() {
        return Cost.of(amount).minus(debtCost).minus(charge.total()).minus(heldCost);
    }
}
