package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The cost of overruns that the budgets of their periods did not pay. Promises make no debt: they were within the
 * budget when they were made, and lowering a budget later does not reclaim them.
 *
 * @param budget the namespace's last known budget, or null
 * @param since the first second of the period that begins with the debt, since the epoch
 * @param owedCost the amount
 */
public record Debt(@Nullable Allotment budget, long since, Cost owedCost) {
    public static final Debt NONE = new Debt(null, 0, Cost.ZERO);

    public Debt {
        if (owedCost.compareTo(Cost.ZERO) < 0) {
            throw new IllegalArgumentException("A debt (%s) must not be negative.".formatted(owedCost));
        }
    }

    Debt less(Cost refundCost) {
        return refundCost.equals(Cost.ZERO)
                ? this
                : new Debt(budget, since, owedCost.minus(refundCost).orNothing());
    }

    /**
     * Returns the debt at the begin of the period that holds {@code second}. A budget with another kind of period takes
     * the debt over, unless its period began earlier, and so already counts what was spent.
     */
    Debt after(Ledger ledger, Allotment next, long second, Collection<CommittedWindow> holds) {
        Interval presentInterval = next.period().holding(second);
        if (budget == null) {
            return new Debt(next, presentInterval.start(), Cost.ZERO);
        }
        Cost left = owedCost;
        Interval period = budget.period().holding(since);
        while (period.end() <= second) {
            Cost missingCost = Cost.ZERO
                    .minus(ledger.balance(budget, period, holds, left).difference())
                    .orNothing();
            left = missingCost.min(left.plus(ledger.overrun(period)));
            period = budget.period().holding(period.end());
        }
        boolean counted = next.period() != budget.period() && presentInterval.start() < period.start();
        return new Debt(next, Math.max(since, presentInterval.start()), counted ? Cost.ZERO : left);
    }
}
