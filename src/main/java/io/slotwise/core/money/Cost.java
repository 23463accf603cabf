package io.slotwise.core.money;

import io.slotwise.core.time.StepFunction;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An exact cost: the sum of rate times seconds, a rate being millionths of the currency unit per hour. The unit is
 * 1/3600 of a millionth, so no cost is ever rounded before it is compared.
 *
 * <p>Sums and products of any size are exact. Those that a long cannot hold are big integers, which no window of the
 * planner needs, but the sums of a namespace may.
 */
public final class Cost implements Comparable<Cost> {
    private static final long SECONDS_PER_HOUR = 3600;
    private static final int LONG_BITS = 63;
    private static final int LONGEST_TEXT = 100;
    private static final Pattern SHOWN = Pattern.compile("-?[0-9]+(\\.[0-9]{1,6})?");

    public static final Cost ZERO = new Cost(0);
    /** More than any cost of a window: the budget of a gang without a limit. */
    public static final Cost UNLIMITED = new Cost(Long.MAX_VALUE);

    /** The amount if {@code wide} is null. */
    private final long narrow;

    /** An amount that no long can hold, or null. */
    private final @Nullable BigInteger wide;

    /** An amount: rate (millionths per hour) times seconds, summed. */
    public Cost(long microSecondsPerHour) {
        this(microSecondsPerHour, null);
    }

    private Cost(long narrow, @Nullable BigInteger wide) {
        this.narrow = narrow;
        this.wide = wide;
    }

    /** Returns an amount of any size, in 1/3600 millionths. */
    public static Cost of(BigInteger exact) {
        return exact.bitLength() <= LONG_BITS ? new Cost(exact.longValue()) : new Cost(0, exact);
    }

    /** Returns the largest cost that a budget of {@code money} allows. */
    public static Cost of(Money money) {
        return product(money.micros(), SECONDS_PER_HOUR);
    }

    /** Returns the cost of a rate, millionths per hour, over {@code seconds} seconds. */
    public static Cost product(long rate, long seconds) {
        long low = rate * seconds;
        return Math.multiplyHigh(rate, seconds) == low >> LONG_BITS
                ? new Cost(low)
                : of(BigInteger.valueOf(rate).multiply(BigInteger.valueOf(seconds)));
    }

    /** Returns the cost of a varying rate, millionths per hour, over the seconds of {@code [from, to)}. */
    public static Cost of(StepFunction rate, long from, long to) {
        Cost cost = ZERO;
        long t = from;
        for (int i = rate.pieceAt(from); t < to; i++) {
            long stop = Math.min(to, rate.end(i));
            cost = cost.plus(product(rate.value(i), stop - t));
            t = stop;
        }
        return cost;
    }

    public Cost plus(Cost other) {
        if (wide == null && other.wide == null) {
            long sum = narrow + other.narrow;
            if (((narrow ^ sum) & (other.narrow ^ sum)) >= 0) {
                return new Cost(sum);
            }
        }
        return of(exact().add(other.exact()));
    }

    public Cost minus(Cost other) {
        return plus(of(other.exact().negate()));
    }

    /** Returns zero if this is negative, otherwise this. */
    public Cost orNothing() {
        return compareTo(ZERO) < 0 ? ZERO : this;
    }

    public Cost min(Cost other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** Returns whether {@link #microSecondsPerHour} can hold the amount. */
    public boolean isNarrow() {
        return wide == null;
    }

    /** Returns the amount as a long, which suffices for every window. Throws if no long can hold it. */
    public long microSecondsPerHour() {
        if (wide != null) {
            throw new ArithmeticException("The cost (%s) does not fit a long.".formatted(wide));
        }
        return narrow;
    }

    /** Returns the amount, in 1/3600 millionths. */
    public BigInteger exact() {
        return wide == null ? BigInteger.valueOf(narrow) : wide;
    }

    /** Returns the shown amount of a whole window, rounded up to a millionth. See {@link #shown} for any amount. */
    public Money roundedUp() {
        return new Money(
                wide == null
                        ? Math.ceilDiv(narrow, SECONDS_PER_HOUR)
                        : microsUp().longValueExact());
    }

    private BigInteger microsUp() {
        BigInteger[] parts = exact().divideAndRemainder(BigInteger.valueOf(SECONDS_PER_HOUR));
        return parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
    }

    /** Returns the currency units, rounded up to a millionth, with six decimals, such as {@code 1.250000}. */
    public String shown() {
        return new BigDecimal(microsUp(), Money.SCALE).toPlainString();
    }

    /** Returns the same for users, without trailing zeros, such as {@code 1.25}. */
    public String brief() {
        return Money.brief(new BigDecimal(microsUp(), Money.SCALE));
    }

    /** Parses the result of {@link #shown}. Throws on any other text. */
    public static Cost read(String shown) {
        if (shown.length() > LONGEST_TEXT || !SHOWN.matcher(shown).matches()) {
            throw new IllegalArgumentException("expected a decimal number such as 1.25");
        }
        return of(new BigDecimal(shown)
                .movePointRight(Money.SCALE)
                .toBigIntegerExact()
                .multiply(BigInteger.valueOf(SECONDS_PER_HOUR)));
    }

    /** Returns the shown amount of one pod of a window, rounded down to a millionth. */
    public Money roundedDown() {
        return new Money(wide == null ? narrow / SECONDS_PER_HOUR : microsDown().longValueExact());
    }

    /** Returns whole millionths of any amount, rounded down. */
    public BigInteger microsDown() {
        return exact().divide(BigInteger.valueOf(SECONDS_PER_HOUR));
    }

    @Override
    public int compareTo(Cost other) {
        return wide == null && other.wide == null
                ? Long.compare(narrow, other.narrow)
                : exact().compareTo(other.exact());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Cost cost && narrow == cost.narrow && Objects.equals(wide, cost.wide);
    }

    @Override
    public int hashCode() {
        return wide == null ? Long.hashCode(narrow) : wide.hashCode();
    }

    @Override
    public String toString() {
        return "Cost[microSecondsPerHour=%s]".formatted(exact());
    }
}
