package io.slotwise.lab.experiment;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** What replications observed, in exact sums. For one thread. */
public final class Tally {
    private final SortedMap<Point, ExactSum> sums = new TreeMap<>();

    /**
     * One observation. Observations of a point should be independent of each other: one for each replication.
     *
     * @param series such as an algorithm
     * @param x what the series runs over; empty: nothing
     * @param metric with its unit where it has one
     * @param value counted to a millionth
     */
    public void add(String series, String x, String metric, double value) {
        sums.merge(new Point(series, x, metric), ExactSum.ZERO.plus(value), ExactSum::plus);
    }

    /** All that another tally has. */
    public void add(Tally other) {
        other.sums.forEach(this::add);
    }

    public void add(Point point, ExactSum sum) {
        sums.merge(point, sum, ExactSum::plus);
    }

    public SortedMap<Point, ExactSum> sums() {
        return Collections.unmodifiableSortedMap(sums);
    }

    public ExactSum at(String series, String x, String metric) {
        return sums.getOrDefault(new Point(series, x, metric), ExactSum.ZERO);
    }

    /** The mean of what was observed; not a number if nothing was. */
    public double mean(String series, String x, String metric) {
        ExactSum sum = at(series, x, metric);
        return sum.count() == 0 ? Double.NaN : sum.mean();
    }
}
