package io.slotwise.core.provision;

import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.time.Interval;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The policy on purchases.
 *
 * @param maxSpend the most that the nodes bought in one period may cost, or null for no limit
 * @param namespaceSpend the same for nodes that are bought for gangs of one namespace, or null for no limit
 * @param spotRisk the largest probability, millionths, that a gang's run loses a bought node
 * @param keepIdle how long an idle bought node stays within its paid time, seconds, not negative; it always stays as
 *     long as that costs nothing
 */
@RecordBuilder
public record Provisioning(
        Mode mode,
        int maxNodes,
        @Nullable Spending maxSpend,
        @Nullable Spending namespaceSpend,
        int spotRisk,
        long keepIdle)
        implements ProvisioningBuilder.With {
    /** The largest risk that can be set, so that one in ten runs survives. */
    public static final int MOST_RISK = 900_000;

    public static final Provisioning NONE = new Provisioning(Mode.NONE, 100, null, 50_000);

    /** The mode of purchases. */
    public enum Mode implements Keyed {
        /** Plans only use existing nodes. */
        NONE,
        /** Plans only use existing nodes, and propose purchases. */
        PLAN,
        /**
         * In a cluster nodes are bought, and gangs are promised windows on them. Elsewhere the same as {@link #PLAN}.
         */
        BUY
    }

    /** The most that is spent in each period of the calendar, UTC. */
    public record Spending(Money amount, Period period) {}

    /** A spending limit with the expenses, of any period, that count against it. */
    public record SpendingLimit(Spending spending, Collection<Expense> expenses) {
        /** Returns the period of a second. */
        public Interval period(long second) {
            return spending.period().holding(second);
        }

        /** Returns what is left for a purchase in this second, negative if overspent. */
        public Cost left(long second) {
            return Cost.of(spending.amount()).minus(Expense.within(expenses, period(second)));
        }
    }

    /** A policy without a limit by namespace, with idle nodes that only stay as long as that costs nothing. */
    public Provisioning(Mode mode, int maxNodes, @Nullable Spending maxSpend, int spotRisk) {
        this(mode, maxNodes, maxSpend, null, spotRisk, 0);
    }

    public Provisioning {
        if (maxNodes < 0) {
            throw new IllegalArgumentException("The most nodes (%d) must not be negative.".formatted(maxNodes));
        }
        if (spotRisk < 0 || spotRisk > MOST_RISK) {
            throw new IllegalArgumentException(
                    "The risk (%d millionths) must be between 0 and %d.".formatted(spotRisk, MOST_RISK));
        }
        if (keepIdle < 0) {
            throw new IllegalArgumentException(
                    "The time for which idle nodes are kept (%d s) must not be negative.".formatted(keepIdle));
        }
    }

    public Provisioning in(Mode other) {
        return withMode(other);
    }

    /** Returns the limits on a purchase for a gang of a namespace, given the expenses of all purchases that count. */
    public List<SpendingLimit> limits(String namespace, Collection<Expense> expenses) {
        List<SpendingLimit> limits = new ArrayList<>();
        if (maxSpend != null) {
            limits.add(new SpendingLimit(maxSpend, expenses));
        }
        if (namespaceSpend != null) {
            limits.add(new SpendingLimit(
                    namespaceSpend,
                    expenses.stream()
                            .filter(expense -> expense.namespace().equals(namespace))
                            .toList()));
        }
        return limits;
    }

    /** Returns the second until which an idle bought node stays: for {@link #keepIdle}, or as long as that is free. */
    public long keptUntil(PurchaseOrder order, Billing billing, long since) {
        long use = Math.max(0, since - order.ready());
        long paid =
                order.ready() + billing.after(order.ready() - order.bought()).paid(use);
        return Math.min(order.end(), Math.max(paid, since + keepIdle));
    }
}
