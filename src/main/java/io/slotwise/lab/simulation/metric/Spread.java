package io.slotwise.lab.simulation.metric;

import java.math.BigInteger;
import java.util.List;

/**
 * The distribution of a measure's values in one replication.
 *
 * @param sum exact
 * @param halfWidth the half width of the mean's 95 % confidence interval; {@link #UNKNOWN} for too few values
 * @param bins the non-empty bins of the histogram, by value
 */
public record Spread(long count, BigInteger sum, long most, double halfWidth, List<Bin> bins) {
    /** The half-width is unknown. */
    public static final double UNKNOWN = -1;

    static final Spread NONE = new Spread(0, BigInteger.ZERO, 0, UNKNOWN, List.of());

    /** The values with the same three significant digits. */
    public record Bin(long value, long count) {}

    public Spread {
        bins = List.copyOf(bins);
    }

    /** Returns the mean, or 0 without values. */
    public double mean() {
        return count == 0 ? 0 : sum.doubleValue() / count;
    }
}
