package io.slotwise.core.gang;

import io.slotwise.core.money.PlainDigits;
import java.math.BigDecimal;

/**
 * A preferred figure of a window.
 *
 * @param <T> an instant or an amount of money
 * @param weight how much an error counts, thousandths, from 1 to {@link #MOST}
 */
public record Preferred<T>(T reference, int weight) {
    public static final int ONE = 1000;

    /** The largest weight, 1000. */
    public static final int MOST = 1000 * ONE;

    private static final String WEIGHT = " weight ";
    private static final String EXPECTED = "expected a weight from 0.001 to 1000 with at most three decimals";
    private static final int LONGEST = 16;

    public Preferred {
        if (weight < 1 || weight > MOST) {
            throw new IllegalArgumentException(
                    "The weight (%d thousandths) must be between 1 and %d.".formatted(weight, MOST));
        }
    }

    /** Returns the reference in {@code REFERENCE weight WEIGHT}. */
    public static String reference(String text) {
        int at = text.indexOf(WEIGHT);
        return at < 0 ? text : text.substring(0, at);
    }

    /** Returns the weight in {@code REFERENCE weight WEIGHT}, thousandths, or 1. Throws with what was expected. */
    public static int weight(String text) {
        int at = text.indexOf(WEIGHT);
        if (at < 0) {
            return ONE;
        }
        String stated = text.substring(at + WEIGHT.length());
        BigDecimal weight;
        try {
            weight = stated.length() > LONGEST ? BigDecimal.ZERO : new BigDecimal(PlainDigits.of(stated));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
        boolean plain = weight.signum() > 0 && weight.compareTo(BigDecimal.valueOf(MOST, 3)) <= 0;
        if (!plain || weight.stripTrailingZeros().scale() > 3) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return weight.movePointRight(3).intValueExact();
    }

    public String spelled(String text) {
        return weight == ONE
                ? text
                : text
                        + WEIGHT
                        + BigDecimal.valueOf(weight, 3).stripTrailingZeros().toPlainString();
    }
}
