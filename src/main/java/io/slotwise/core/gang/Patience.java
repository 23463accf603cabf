package io.slotwise.core.gang;

import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.time.Durations;
import java.math.BigDecimal;

/**
 * The longest delay of its start that a gang accepts in order to run nearer together.
 *
 * @param seconds for any runtime
 * @param part of the runtime in addition, millionths
 */
public record Patience(long seconds, int part) {
    public static final Patience NONE = new Patience(0, 0);

    /** The input of {@link #parse}, for messages after {@code expected}. */
    public static final String WORDS = "a duration such as 20m, or percent of the runtime such as 50%";

    private static final String PERCENT = "%";
    private static final int MOST_PERCENT = 1000;
    private static final int LONGEST = 16;

    public Patience {
        if (seconds < 0 || part < 0) {
            throw new IllegalArgumentException(
                    "The patience (%d s and %d millionths) must not be negative.".formatted(seconds, part));
        }
    }

    /** Parses a duration, or a percentage of at most 1000 with at most four decimals. Throws with what was expected. */
    public static Patience parse(String text) {
        if (!text.endsWith(PERCENT)) {
            try {
                return new Patience(Durations.parse(text), 0);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("expected " + WORDS, e);
            }
        }
        try {
            String stated = PlainDigits.of(text.substring(0, text.length() - PERCENT.length()));
            BigDecimal percent = new BigDecimal(stated.length() > LONGEST ? "" : stated);
            if (percent.signum() >= 0
                    && percent.compareTo(BigDecimal.valueOf(MOST_PERCENT)) <= 0
                    && percent.stripTrailingZeros().scale() <= 4) {
                return new Patience(0, percent.movePointRight(4).intValueExact());
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected " + WORDS, e);
        }
        throw new IllegalArgumentException("expected at most 1000 percent of the runtime");
    }

    /** Returns the patience of a gang with this runtime, seconds, rounded down. */
    public long of(long runtime) {
        return seconds + Math.floorDiv(Math.multiplyExact(runtime, (long) part), 1_000_000L);
    }
}
