package io.slotwise.lab.simulation.metric;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Values that are not negative, one after the other: their exact sum, the confidence of their mean, their histogram.
 */
final class Distribution {
    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(DIGITS);
    private final BatchMeans batches = new BatchMeans();
    private BigInteger sum = BigInteger.ZERO;
    private long count;
    private long most;

    void add(long value) {
        histogram.recordValue(value);
        batches.add(value);
        sum = sum.add(BigInteger.valueOf(value));
        count++;
        most = Math.max(most, value);
    }

    /** All that is told of the values. */
    Spread spread() {
        List<Spread.Bin> bins = new ArrayList<>();
        for (HistogramIterationValue value : histogram.recordedValues()) {
            bins.add(new Spread.Bin(value.getValueIteratedTo(), value.getCountAddedInThisIterationStep()));
        }
        return new Spread(count, sum, most, batches.halfWidth().orElse(Spread.UNKNOWN), bins);
    }

    /** The histogram of several spreads together. */
    static Histogram together(List<Spread> spreads) {
        Histogram all = new Histogram(DIGITS);
        spreads.forEach(spread -> spread.bins().forEach(bin -> all.recordValueWithCount(bin.value(), bin.count())));
        return all;
    }
}
