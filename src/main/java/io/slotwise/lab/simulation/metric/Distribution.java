package io.slotwise.lab.simulation.metric;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** A series of non-negative values: their exact sum, the confidence of their mean, and their histogram. */
final class Distribution {
    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(DIGITS);
    private final BatchMeans means = new BatchMeans();
    private BigInteger sum = BigInteger.ZERO;
    private long count;
    private long most;

    void add(long value) {
        histogram.recordValue(value);
        means.add(value);
        sum = sum.add(BigInteger.valueOf(value));
        count++;
        most = Math.max(most, value);
    }

    Spread spread() {
        List<Spread.Bin> bins = new ArrayList<>();
        for (HistogramIterationValue value : histogram.recordedValues()) {
            bins.add(new Spread.Bin(value.getValueIteratedTo(), value.getCountAddedInThisIterationStep()));
        }
        return new Spread(count, sum, most, means.halfWidth().orElse(Spread.UNKNOWN), bins);
    }

    static Histogram together(List<Spread> spreads) {
        Histogram all = new Histogram(DIGITS);
        spreads.forEach(spread -> spread.bins().forEach(bin -> all.recordValueWithCount(bin.value(), bin.count())));
        return all;
    }

    /**
     * The half-width of the 95 % confidence interval of the mean of a series of dependent values.
     *
     * <p>Values are averaged over batches of equal length, long enough for nearly independent means. An incomplete
     * batch is left out. There are {@value #FEWEST} to {@value #MOST} batches: when all are full, neighbours are merged
     * and the length doubles. O(1) memory.
     *
     * <p>Source: A. M. Law, "Simulation Modeling and Analysis", 5th edition (2015), section 9.5.3, the method of batch
     * means.
     */
    static final class BatchMeans {
        private static final int FEWEST = 16;
        private static final int MOST = 32;

        private final List<Long> sums = new ArrayList<>();
        private long length = 1;
        private long open;
        private long inOpen;

        void add(long value) {
            open = Math.addExact(open, value);
            inOpen++;
            if (inOpen == length) {
                sums.add(open);
                open = 0;
                inOpen = 0;
            }
            if (sums.size() == MOST) {
                for (int i = 0; i < MOST / 2; i++) {
                    sums.set(i, Math.addExact(sums.get(2 * i), sums.get(2 * i + 1)));
                }
                sums.subList(MOST / 2, MOST).clear();
                length *= 2;
            }
        }

        /** Returns the half-width in the unit of the values. Empty for fewer than {@value #FEWEST} values. */
        OptionalDouble halfWidth() {
            return sums.size() < FEWEST
                    ? OptionalDouble.empty()
                    : StudentT.halfWidth(
                            sums.stream().map(sum -> (double) sum / length).toList());
        }
    }
}
