package io.slotwise.core.gang;

import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;

/**
 * The value of an earlier end for a gang: an amount for each hour, until an instant after which the end does not
 * matter.
 *
 * @param hour currency units
 * @param until the second since the epoch after which delay costs nothing more, or {@link Interval#FOREVER}
 */
public record ValueOfTime(Money hour, long until) {
    /** The largest value of an hour, currency units, so that the value of more than a year can be computed. */
    public static final Money MOST = new Money(100_000 * Money.MICROS_PER_UNIT);

    public static final ValueOfTime NONE = always(Money.ZERO);

    /** The largest value of a delay, so that the sum with the cost of any window fits a long. */
    private static final long MOST_DELAY = Long.MAX_VALUE / 2;

    public ValueOfTime {
        if (hour.micros() < 0 || hour.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "The value of time (%s) must be between 0 and %s.".formatted(hour.brief(), MOST.brief()));
        }
    }

    /** Returns a value that never ends. */
    public static ValueOfTime always(Money hour) {
        return new ValueOfTime(hour, Interval.FOREVER);
    }

    /** Parses the value of an hour, currency units. Throws with what was expected if it is out of range. */
    public static Money parseHour(String text) {
        Money hour = Money.parse(text);
        if (hour.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("expected at most " + MOST.brief());
        }
        return hour;
    }

    public boolean isNone() {
        return hour.equals(Money.ZERO);
    }

    /** Returns whether the value ends at an instant. */
    public boolean falls() {
        return until != Interval.FOREVER;
    }

    /** Returns the value of an hour from this second on, seconds since the epoch. */
    public Money at(long second) {
        return second < until ? hour : Money.ZERO;
    }

    /** Returns the equal part of one pod of {@code pods}, rounded down to a millionth. */
    public ValueOfTime part(int pods) {
        return new ValueOfTime(new Money(hour.micros() / pods), until);
    }

    /**
     * Returns the value of the time from an arrival to an end, 1/3600 millionths: the value of an hour times the
     * seconds between them before {@link #until}, exactly, up to half of what a long holds. Never falls with a later
     * end, and is concave in it. Negative for an end before the arrival, which clock skew may cause.
     */
    public long delay(long arrival, long end) {
        long seconds = Math.min(end, Math.max(until, arrival)) - arrival;
        long value = hour.micros();
        if (value > 0 && Math.abs(seconds) > MOST_DELAY / value) {
            return seconds > 0 ? MOST_DELAY : -MOST_DELAY;
        }
        return value * seconds;
    }

    /** Returns the last end whose delay is worth at most this, 1/3600 millionths, or {@link Long#MAX_VALUE}. */
    public long lastEnd(long arrival, long most) {
        if (isNone() || most >= MOST_DELAY || (falls() && delay(arrival, Math.max(until, arrival)) <= most)) {
            return Long.MAX_VALUE;
        }
        long seconds = Math.floorDiv(most, hour.micros());
        return seconds > Long.MAX_VALUE - Math.max(0, arrival) ? Long.MAX_VALUE : arrival + seconds;
    }
}
