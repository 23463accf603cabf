package io.slotwise.lab.workload.log;

import io.slotwise.core.money.PlainDigits;
import io.slotwise.lab.workload.log.Lines.Line;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** A line of a text, split into columns, which are counted from 1 as in the definitions of formats. */
public record LogRow(Line line, List<String> values) {
    /** The limit of numbers, which keeps sums exact. */
    private static final long LARGEST = 1_000_000_000_000_000L;

    private static final BigDecimal LARGEST_DECIMAL = BigDecimal.valueOf(LARGEST);
    private static final int MOST_DIGITS = 15;
    private static final int LARGEST_AMOUNT = 1_000_000_000;

    public String text(int column, String what) {
        if (column > values.size()) {
            throw line.malformed(
                    column, "%s is missing: expected %d columns, not %d".formatted(what, column, values.size()));
        }
        return values.get(column - 1);
    }

    /** Returns a whole number. Decimals, which occur in some logs, are rounded down. */
    public long whole(int column, String what) {
        String text = text(column, what);
        if (isPlain(text)) {
            return Long.parseLong(text);
        }
        BigDecimal value = decimal(text, column, what);
        if (value.precision() - (long) value.scale() > MOST_DIGITS + 1L
                || value.abs().compareTo(LARGEST_DECIMAL) > 0) {
            throw malformed(column, what, "expected at most " + LARGEST);
        }
        return value.setScale(0, RoundingMode.FLOOR).longValueExact();
    }

    /** Returns a whole number that fits into an {@code int}. */
    public int count(int column, String what) {
        long value = whole(column, what);
        if (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE) {
            throw malformed(column, what, "expected at most " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    /** Returns a whole number of at most a billion. */
    public long amount(int column, String what) {
        long amount = whole(column, what);
        if (amount < 0 || amount > LARGEST_AMOUNT) {
            throw malformed(column, what, "expected between 0 and " + LARGEST_AMOUNT);
        }
        return amount;
    }

    public MalformedWorkload malformed(int column, String what, String expected) {
        return line.malformed(column, "%s (%s) is not valid: %s".formatted(what, values.get(column - 1), expected));
    }

    private BigDecimal decimal(String text, int column, String what) {
        try {
            return new BigDecimal(PlainDigits.of(text.strip()));
        } catch (NumberFormatException e) {
            throw malformed(column, what, "expected a number");
        }
    }

    private static boolean isPlain(String text) {
        int length = text.length();
        int first = length > 1 && text.charAt(0) == '-' ? 1 : 0;
        if (length == 0 || length - first > MOST_DIGITS) {
            return false;
        }
        for (int i = first; i < length; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
