package io.slotwise.core.money;

import java.math.BigDecimal;

/** An amount of money, or a price per hour, in millionths of the currency unit. */
public record Money(long micros) implements Comparable<Money> {
    /** Millionths in one currency unit. */
    public static final long MICROS_PER_UNIT = 1_000_000;

    public static final int SCALE = 6;

    /** The longest text that is parsed: further digits cost time and mean nothing. */
    private static final int LONGEST = 64;

    private static final String TOO_LONG =
            "too long: expected a decimal number of at most %d characters such as 1.25".formatted(LONGEST);

    /** The input of {@link #parse}, for messages after {@code expected}. */
    public static final String WORDS = "a decimal number such as 1.25";

    public static final Money ZERO = new Money(0);

    /**
     * Parses a plain decimal such as {@code 1.25}.
     *
     * @throws IllegalArgumentException if the text is no decimal, is negative, has more than six decimals or is larger
     *     than a billion units
     */
    public static Money parse(String text) {
        BigDecimal value;
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(TOO_LONG);
        }
        try {
            value = new BigDecimal(PlainDigits.of(text.strip()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected " + WORDS, e);
        }
        if (value.signum() < 0) {
            throw new IllegalArgumentException("expected a number that is not negative");
        }
        if (value.precision() - value.scale() > 10 || value.compareTo(BigDecimal.valueOf(1_000_000_000L)) > 0) {
            throw new IllegalArgumentException("expected at most 1000000000");
        }
        if (value.signum() != 0 && value.stripTrailingZeros().scale() > SCALE) {
            throw new IllegalArgumentException("expected at most six digits after the decimal point");
        }
        return new Money(value.movePointRight(SCALE).longValueExact());
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(micros, other.micros);
    }

    /** Returns the amount with all six decimals, such as {@code 1.250000}. */
    @Override
    public String toString() {
        return BigDecimal.valueOf(micros, SCALE).toPlainString();
    }

    /** Returns the amount without trailing zeros, such as {@code 1.25} or {@code 3}. */
    public String brief() {
        return brief(BigDecimal.valueOf(micros, SCALE));
    }

    /** Formats currency units without trailing zeros. */
    static String brief(BigDecimal units) {
        BigDecimal plain = units.stripTrailingZeros();
        return (plain.scale() < 0 ? plain.setScale(0) : plain).toPlainString();
    }
}
