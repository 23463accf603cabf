package io.slotwise.kubernetes.manifest.queues;

import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.kubernetes.manifest.field.CalendarClock;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.prices.PriceCalendar;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Objects;

/**
 * Reads amounts of queues: a quantity or a percentage, optionally followed by {@code ;AMOUNT@INTERVAL} items, which are
 * those of a {@link PriceCalendar}. A time zone stands before the first amount.
 *
 * @param interval the seconds for which calendars are read; outside it the first amount applies
 */
record QueueAmounts(Interval interval) {
    private static final BigDecimal MILLIONTHS_PER_PERCENT = BigDecimal.valueOf(10_000);
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final int LONGEST = 512;

    /**
     * Returns an amount.
     *
     * @throws IllegalArgumentException with a message that says what was expected
     */
    Amount parse(String resource, String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("expected at most %d characters".formatted(LONGEST));
        }
        String stripped = text.strip();
        String plain = CalendarClock.of(stripped).calendar();
        String zone = stripped.substring(0, stripped.length() - plain.length());
        int semicolon = plain.indexOf(';');
        if (semicolon < 0) {
            return amount(StepFunction.constant(value(resource, plain)));
        }
        PriceCalendar calendar = PriceCalendar.parse(
                zone + plain.substring(semicolon + 1),
                new PriceCalendar.Values(
                        item -> value(resource, item), "expected AMOUNT@INTERVAL such as 50%@0 22 * * */PT8H"));
        return amount(calendar.over(value(resource, plain.substring(0, semicolon)), interval.start(), interval.end()));
    }

    private static Amount amount(StepFunction function) {
        return new Amount(function.map(value -> Math.max(value, 0)), function.map(value -> Math.max(-value, 0)));
    }

    /** Returns units, or the negative of millionths of the parent's amount. */
    private static long value(String resource, String text) {
        String amount = text.strip();
        return amount.endsWith("%") ? -millionths(amount.substring(0, amount.length() - 1)) : units(resource, amount);
    }

    private static long millionths(String percent) {
        String expected = "expected a percentage from 0% to 100% with at most 4 decimals";
        try {
            BigDecimal exact = new BigDecimal(PlainDigits.of(percent));
            if (exact.signum() < 0 || exact.compareTo(HUNDRED) > 0) {
                throw new IllegalArgumentException(expected);
            }
            return exact.multiply(MILLIONTHS_PER_PERCENT)
                    .setScale(0, RoundingMode.UNNECESSARY)
                    .longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(expected, e);
        }
    }

    static long units(String resource, String text) {
        if (text.indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "expected an amount for the other times first, such as 16;32@0 22 * * */PT8H");
        }
        long units = Objects.requireNonNull(new QuantityAmounts()
                .requests(Map.of(resource, QuantityAmounts.parse(resource, text)))
                .get(resource));
        if (units > Amount.MOST) {
            throw new IllegalArgumentException(
                    "the quantity (%s) is too large: expected at most %d".formatted(SafeText.value(text), Amount.MOST));
        }
        return units;
    }
}
