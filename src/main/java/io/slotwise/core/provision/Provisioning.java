package io.slotwise.core.provision;

import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Money;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the policy says of purchases.
 *
 * @param mode whether anything is bought
 * @param maxNodes the most nodes that are bought, not negative
 * @param maxSpend the most that the nodes bought in one period may cost; null: no limit
 * @param spotRisk the largest probability, millionths, that a gang's run may have of losing a bought node
 */
public record Provisioning(
        Mode mode, int maxNodes, @Nullable Spending maxSpend, int spotRisk) {
    /** The most that is said of a risk: one in ten runs is left. */
    public static final int MOST_RISK = 900_000;

    /** Nothing is bought. */
    public static final Provisioning NONE = new Provisioning(Mode.NONE, 100, null, 50_000);

    /** Whether anything is bought. */
    public enum Mode {
        /** Plans are made of nodes that are there. */
        NONE,
        /** Plans are made of nodes that are there, and say what one would buy. */
        PLAN,
        /** In a cluster nodes are bought, and gangs are promised windows on them; elsewhere {@link #PLAN}. */
        BUY;

        /** The name in the policy file. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * So much in each period.
     *
     * @param amount the most
     * @param period of the calendar, UTC
     */
    public record Spending(Money amount, Period period) {}

    public Provisioning {
        if (maxNodes < 0) {
            throw new IllegalArgumentException("The most nodes (%d) must not be negative.".formatted(maxNodes));
        }
        if (spotRisk < 0 || spotRisk > MOST_RISK) {
            throw new IllegalArgumentException(
                    "The risk (%d millionths) must be between 0 and %d.".formatted(spotRisk, MOST_RISK));
        }
    }

    /** The same in another mode. */
    public Provisioning in(Mode other) {
        return new Provisioning(other, maxNodes, maxSpend, spotRisk);
    }
}
