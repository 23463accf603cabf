package io.slotwise.core.resource;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.StepFunction;
import java.math.BigInteger;

/**
 * An exact fraction of a node, {@code part / whole}: the dominant share of a request; or how many times another one it
 * is.
 *
 * @param part not negative
 * @param whole positive
 */
public record Share(long part, long whole) implements Comparable<Share> {
    private static final long MILLION = 1_000_000;
    private static final int LONG_BITS = 62;

    /** All of a node. */
    public static final Share ALL = new Share(1, 1);
    /** Nothing of a node. */
    public static final Share NONE = new Share(0, 1);

    public Share {
        if (part < 0 || whole <= 0) {
            throw new IllegalArgumentException("A share (%d/%d) must not be negative.".formatted(part, whole));
        }
    }

    /** Reads {@code PART/WHOLE}, as {@link #toString} writes it. */
    public static Share parse(String text) {
        int slash = text.indexOf('/');
        return new Share(Long.parseLong(text.substring(0, Math.max(0, slash))), Long.parseLong(text.substring(slash + 1)));
    }

    /** The smaller of the two. */
    public Share min(Share other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** This share of {@code amount}, rounded half up; exact whatever the sizes, as long as the answer fits a long. */
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

    /**
     * The rate of a pod that takes this share of a node with this price: every piece rounded half up, millionths per
     * hour.
     */
    public StepFunction of(StepFunction price) {
        return price.map(this::of);
    }

    /** This part of a cost, rounded up. */
    public Cost of(Cost cost) {
        return Cost.of(ceiling(cost.exact().multiply(BigInteger.valueOf(part)), BigInteger.valueOf(whole)));
    }

    /**
     * How many times the other one, which must not be nothing, this is: exactly if it fits, else rounded up to a
     * millionth.
     */
    public Share over(Share other) {
        BigInteger above = BigInteger.valueOf(part).multiply(BigInteger.valueOf(other.whole));
        BigInteger below = BigInteger.valueOf(whole).multiply(BigInteger.valueOf(other.part));
        BigInteger divisor = above.gcd(below);
        if (Math.max(above.bitLength(), below.bitLength()) - divisor.bitLength() < LONG_BITS) {
            return new Share(above.divide(divisor).longValueExact(), below.divide(divisor).longValueExact());
        }
        BigInteger millionths = ceiling(above.multiply(BigInteger.valueOf(MILLION)), below);
        return new Share(millionths.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact(), MILLION);
    }

    private static BigInteger ceiling(BigInteger above, BigInteger below) {
        return above.add(below).subtract(BigInteger.ONE).divide(below);
    }

    @Override
    public String toString() {
        return part + "/" + whole;
    }

    @Override
    public int compareTo(Share other) {
        long left = Math.multiplyHigh(part, other.whole);
        long right = Math.multiplyHigh(other.part, whole);
        return left != right ? Long.compare(left, right) : Long.compareUnsigned(part * other.whole, other.part * whole);
    }
}
