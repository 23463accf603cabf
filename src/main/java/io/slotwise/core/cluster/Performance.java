package io.slotwise.core.cluster;

import io.slotwise.core.money.Money;

/**
 * The speed of a node relative to the reference node.
 *
 * @param millionths speed in millionths, positive: 2 500 000 is two and a half times as fast as the reference
 */
public record Performance(long millionths) {
    private static final long ONE = 1_000_000;

    public static final Performance REFERENCE = new Performance(ONE);

    public Performance {
        if (millionths <= 0) {
            throw new IllegalArgumentException(
                    "The performance (%d millionths) must be positive.".formatted(millionths));
        }
    }

    /**
     * Parses a positive decimal such as {@code 2.5}.
     *
     * @throws IllegalArgumentException if the text is no positive decimal with at most six decimals
     */
    public static Performance parse(String text) {
        long millionths = Money.parse(text).micros();
        if (millionths == 0) {
            throw new IllegalArgumentException("expected a number greater than 0");
        }
        return new Performance(millionths);
    }

    /** Returns the seconds that {@code runtime} reference seconds take here: {@code ceil(runtime / performance)}. */
    public long duration(long runtime) {
        // No accepted runtime is longer than 2^31 s.
        return Math.ceilDiv(Math.multiplyExact(runtime, ONE), millionths);
    }

    /** Returns the whole seconds on the reference node that {@code elapsed} seconds here are worth. */
    public long work(long elapsed) {
        // Exact, and without overflow for all time since the year 1 on a node a million times as fast.
        return elapsed / ONE * millionths + elapsed % ONE * millionths / ONE;
    }
}
