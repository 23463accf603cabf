package io.slotwise.core.provision;

/**
 * The billing rules of a bought node: the seconds that are paid.
 *
 * @param delay from the purchase until pods can start, seconds, not negative
 * @param least the least time that is paid, seconds, not negative
 * @param step paid time is a multiple of this, seconds, positive
 * @param shutdown from giving up the node until it is no longer paid, seconds, not negative
 */
public record Billing(long delay, long least, long step, long shutdown) {
    /** The longest part of a bill, seconds, so that sums of bills fit a long. */
    public static final long LONGEST = 366L * 24 * 3600;

    public Billing {
        if (step <= 0 || step > LONGEST) {
            throw new IllegalArgumentException(
                    "The billed step (%d s) must be positive and at most %d s.".formatted(step, LONGEST));
        }
        check("start-up delay", delay);
        check("least billed time", least);
        check("shutdown delay", shutdown);
    }

    private static void check(String what, long seconds) {
        if (seconds < 0 || seconds > LONGEST) {
            throw new IllegalArgumentException(
                    "The %s (%d s) must be between 0 and %d s.".formatted(what, seconds, LONGEST));
        }
    }

    public Billing after(long seconds) {
        return new Billing(seconds, least, step, shutdown);
    }

    /** Returns how long a node is paid if pods run on it for its first {@code use} seconds. */
    public long billed(long use) {
        return Math.ceilDiv(Math.max(least, delay + use + shutdown), step) * step;
    }

    /** Returns how long the node can be used for that bill: at least {@code use} seconds. */
    public long paid(long use) {
        return billed(use) - delay - shutdown;
    }
}
