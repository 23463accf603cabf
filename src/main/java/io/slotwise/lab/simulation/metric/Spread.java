package io.slotwise.lab.simulation.metric;

import java.math.BigInteger;
import java.util.List;

/**
 * How the values of one measure are spread in one replication.
 *
 * @param sum exact
 * @param halfWidth of the 95 % confidence interval of the mean within the replication; {@link #UNKNOWN}: too few values
 * @param bins of the histogram that are not empty, by value
 */
public record Spread(long count, BigInteger sum, long most, double halfWidth, List<Bin> bins) {
    /** No half-width can be told. */
    public static final double UNKNOWN = -1;

    static final Spread NONE = new Spread(0, BigInteger.ZERO, 0, UNKNOWN, List.of());

    /** Values that are the same in three significant digits. */
    public record Bin(long value, long count) {}

    public Spread {
        bins = List.copyOf(bins);
    }

    /** 0 of nothing. */
    public double mean() {
        return count == 0 ? 0 : sum.doubleValue() / count;
    }
}
