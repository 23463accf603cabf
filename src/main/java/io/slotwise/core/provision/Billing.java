package io.slotwise.core.provision;

/**
 * For which seconds a bought node is paid.
 *
 * @param delay from the purchase until pods can start, seconds, not negative
 * @param least the least time that is paid, seconds, not negative
 * @param step paid time is a multiple of this, seconds, positive
 * @param shutdown from the moment when the node is given up until it is paid no more, seconds, not negative
 */
public record Billing(long delay, long least, long step, long shutdown) {
    /** Paid by the second, and there at once. */
    public static final Billing BY_THE_SECOND = new Billing(0, 0, 1, 0);

    /** No part of a bill is longer, seconds: sums of them fit a long. */
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

    /** How long a node is paid on which pods run for {@code use} seconds from its first one on. */
    public long billed(long use) {
        return Math.ceilDiv(Math.max(least, delay + use + shutdown), step) * step;
    }

    /** How long it can be used for that bill: at least {@code use} seconds. */
    public long paid(long use) {
        return billed(use) - delay - shutdown;
    }
}
