package io.slotwise.core.resource;

import io.slotwise.core.time.StepFunction;
import java.math.BigInteger;

/** An exact fraction of a node, {@code part / whole}: the dominant share of a request, not negative. */
public record Share(long part, long whole) implements Comparable<Share> {
    public static final Share ALL = new Share(1, 1);
    public static final Share NONE = new Share(0, 1);

    public Share {
        if (part < 0 || whole <= 0) {
            throw new IllegalArgumentException("A share (%d/%d) must not be negative.".formatted(part, whole));
        }
    }

    public Share min(Share other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** Returns this share of {@code amount}, rounded half up, and exact as long as the result fits a long. */
    public long of(long amount) {
        long high = Math.multiplyHigh(part, amount);
        long low = part * amount;
        if (high == 0 && low >= 0 && low <= (Long.MAX_VALUE - whole) / 2 && whole <= Long.MAX_VALUE / 2) {
            return (2 * low + whole) / (2 * whole);
        }
        BigInteger twice =
                BigInteger.valueOf(part).multiply(BigInteger.valueOf(amount)).shiftLeft(1);
        return twice.add(BigInteger.valueOf(whole))
                .divide(BigInteger.valueOf(whole).shiftLeft(1))
                .longValueExact();
    }

    /** Returns the rate of a pod with this share at a node's price, millionths per hour, each piece rounded half up. */
    public StepFunction of(StepFunction price) {
        return price.map(this::of);
    }

    @Override
    public int compareTo(Share other) {
        long left = Math.multiplyHigh(part, other.whole);
        long right = Math.multiplyHigh(other.part, whole);
        return left != right ? Long.compare(left, right) : Long.compareUnsigned(part * other.whole, other.part * whole);
    }
}
