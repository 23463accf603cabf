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
 * What the policy says of purchases.
 *
 * @param maxSpend the most that the nodes bought in one period may cost; null: no limit
 * @param namespaceSpend the most that those of them may cost that are bought for gangs of one namespace; null: no limit
 * @param spotRisk the largest probability, millionths, that a gang's run may have of losing a bought node
 * @param keepIdle how long a bought node stays when nothing is on it any more, within its paid time, seconds, not
 *     negative; for as long as that costs nothing it stays anyway
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
    /** The most that is said of a risk: one in ten runs is left. */
    public static final int MOST_RISK = 900_000;

    public static final Provisioning NONE = new Provisioning(Mode.NONE, 100, null, 50_000);

    /** Whether anything is bought. */
    public enum Mode implements Keyed {
        /** Plans are made of nodes that are there. */
        NONE,
        /** Plans are made of nodes that are there, and say what one would buy. */
        PLAN,
        /** In a cluster nodes are bought, and gangs are promised windows on them; elsewhere {@link #PLAN}. */
        BUY
    }

    /** The most that is spent in each period of the calendar, UTC. */
    public record Spending(Money amount, Period period) {}

    /** So much in each period, with the expenses, of any period, that count against it. */
    public record SpendingLimit(Spending spending, Collection<Expense> expenses) {
        /** The period of a second. */
        public Interval period(long second) {
            return spending.period().holding(second);
        }

        /** What is left for a purchase in this second; negative: too much is spent. */
        public Cost left(long second) {
            return Cost.of(spending.amount()).minus(Expense.within(expenses, period(second)));
        }
    }

    /** The same in which an idle node stays only as long as that costs nothing. */
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

    /** What limits a purchase for a gang of a namespace, with those of all purchases' expenses that count. */
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

    /** Until which second an idle bought node stays: for {@link #keepIdle}, or as long as that costs nothing. */
    public long keptUntil(PurchaseOrder order, Billing billing, long since) {
        long use = Math.max(0, since - order.ready());
        long paid =
                order.ready() + billing.after(order.ready() - order.bought()).paid(use);
        return Math.min(order.end(), Math.max(paid, since + keepIdle));
    }
}
