package io.slotwise.core.combination;

import java.math.BigInteger;

/** A fraction that amounts are multiplied with without overflow: not negative, with a positive denominator. */
record Ratio(long numerator, long denominator) {
    static final Ratio ZERO = new Ratio(0, 1);

    private static final int BITS = 62;

    /**
     * Returns an integer that is at least the product rounded down. It is exactly that if numerator times amount is
     * below 2^62. Otherwise it is larger by a relative error of some 2^-30 for the figures of a batch.
     *
     * @param amount not negative
     */
    long of(long amount) {
        int excess = bits(numerator) + bits(amount) - BITS;
        if (excess <= 0) {
            return numerator * amount / denominator;
        }
        long whole = denominator >> excess;
        return whole == 0 ? exact(amount) : Math.multiplyExact(numerator, (amount >> excess) + 1) / whole;
    }

    /** Returns an upper bound of the product. */
    long above(long amount) {
        return numerator == 0 ? 0 : of(amount) + 1;
    }

    /** Returns the product rounded down, by big integers. */
    long exact(long amount) {
        return BigInteger.valueOf(numerator)
                .multiply(BigInteger.valueOf(amount))
                .divide(BigInteger.valueOf(denominator))
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValueExact();
    }

    /** Returns this ratio times {@code times / part}, to some 30 bits. */
    Ratio scaled(int times, int part) {
        int excess = Math.max(0, Math.max(bits(numerator), bits(denominator)) + 9 - BITS);
        return new Ratio((numerator >> excess) * times, Math.max(1, denominator >> excess) * part);
    }

    private static int bits(long amount) {
        return Long.SIZE - Long.numberOfLeadingZeros(amount);
    }
}
