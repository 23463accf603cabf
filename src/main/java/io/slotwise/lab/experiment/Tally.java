package io.slotwise.lab.experiment;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The observations of replications in exact sums. Not thread-safe. */
public final class Tally {
    private final SortedMap<Point, ExactSum> sums = new TreeMap<>();

    /** Adds an observation, rounded to a millionth. Those of a point should be independent: one per replication. */
    public void add(String series, String x, String metric, double value) {
        sums.merge(new Point(series, x, metric), ExactSum.ZERO.plus(value), ExactSum::plus);
    }

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

    /** Returns the mean of the observations; NaN if there are none. */
    public double mean(String series, String x, String metric) {
        ExactSum sum = at(series, x, metric);
        return sum.count() == 0 ? Double.NaN : sum.mean();
    }

    /** Returns the means at each x; NaN where there are no observations. */
    public double[] means(String series, List<String> xs, String metric) {
        return xs.stream().mapToDouble(x -> mean(series, x, metric)).toArray();
    }
}
