package io.slotwise.core.money;

/**
 * What a reservation costs, exactly: the sum of rate times seconds, a rate being millionths of the currency unit per hour.
 * One unit of this is 1/3600 of a millionth, so no cost is ever rounded before it is compared.
 *
 * @param microSecondsPerHour rate (millionths per hour) times seconds, summed
 */
public record Cost(long microSecondsPerHour) implements Comparable<Cost> {
    private static final long SECONDS_PER_HOUR = 3600;

    /** Nothing. */
    public static final Cost ZERO = new Cost(0);
    /** More than any cost: the budget of a gang that has none. */
    public static final Cost UNLIMITED = new Cost(Long.MAX_VALUE);

    /** The largest cost that a budget of {@code money} allows. Throws on overflow. */
    public static Cost of(Money money) {
        return new Cost(Math.multiplyExact(money.micros(), SECONDS_PER_HOUR));
    }

    /** The sum. Throws on overflow. */
    public Cost plus(Cost other) {
        return new Cost(Math.addExact(microSecondsPerHour, other.microSecondsPerHour));
    }

    /** The lower of the two. */
    public Cost min(Cost other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** The amount as shown for a whole window: rounded up to a millionth. */
    public Money roundedUp() {
        return new Money(Math.ceilDiv(microSecondsPerHour, SECONDS_PER_HOUR));
    }

    /** The amount as shown for one pod of a window: rounded down to a millionth. */
    public Money roundedDown() {
        return new Money(microSecondsPerHour / SECONDS_PER_HOUR);
    }

    @Override
    public int compareTo(Cost other) {
        return Long.compare(microSecondsPerHour, other.microSecondsPerHour);
    }
}
