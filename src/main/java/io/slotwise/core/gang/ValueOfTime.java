package io.slotwise.core.gang;

import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;

/**
 * What it is worth that a gang ends earlier: so much for each hour, until an instant after which it does not matter any
 * more when it ends.
 *
 * @param hour currency units
 * @param until delay after this second costs nothing more, seconds since the epoch; {@link Interval#FOREVER}: it always
 *     does
 */
public record ValueOfTime(Money hour, long until) {
    /** The largest value of an hour, currency units: what it makes of a year and more can be counted. */
    public static final Money MOST = new Money(100_000 * Money.MICROS_PER_UNIT);

    public static final ValueOfTime NONE = always(Money.ZERO);

    /** What a delay is worth at most: the sum with the cost of any window fits a long. */
    private static final long MOST_DELAY = Long.MAX_VALUE / 2;

    public ValueOfTime {
        if (hour.micros() < 0 || hour.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "The value of time (%s) must be between 0 and %s.".formatted(hour.brief(), MOST.brief()));
        }
    }

    /** The same value whenever the gang ends. */
    public static ValueOfTime always(Money hour) {
        return new ValueOfTime(hour, Interval.FOREVER);
    }

    /** Reads the value of an hour, currency units; throws where it cannot be counted, with what was expected. */
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

    /** Whether it falls at an instant. */
    public boolean falls() {
        return until != Interval.FOREVER;
    }

    /** What an hour is worth from this second on, seconds since the epoch. */
    public Money at(long second) {
        return second < until ? hour : Money.ZERO;
    }

    /** An equal part for one of so many pods, rounded down to a millionth. */
    public ValueOfTime part(int pods) {
        return new ValueOfTime(new Money(hour.micros() / pods), until);
    }

    /**
     * What the time from an arrival to an end is worth, 1/3600 millionths: the value of an hour times the seconds
     * between that lie before {@link #until}, exactly, up to half of what a long holds. It never falls with a later
     * end, and is concave in it. Less than nothing for an end before the arrival, as one clock may see it.
     */
    public long delay(long arrival, long end) {
        long seconds = Math.min(end, Math.max(until, arrival)) - arrival;
        long value = hour.micros();
        if (value > 0 && Math.abs(seconds) > MOST_DELAY / value) {
            return seconds > 0 ? MOST_DELAY : -MOST_DELAY;
        }
        return value * seconds;
    }

    /** The last end whose delay is worth at most this, 1/3600 millionths; {@link Long#MAX_VALUE}: every one is. */
    public long lastEnd(long arrival, long most) {
        if (isNone() || most >= MOST_DELAY || (falls() && delay(arrival, Math.max(until, arrival)) <= most)) {
            return Long.MAX_VALUE;
        }
        long seconds = Math.floorDiv(most, hour.micros());
        return seconds > Long.MAX_VALUE - Math.max(0, arrival) ? Long.MAX_VALUE : arrival + seconds;
    }
}
