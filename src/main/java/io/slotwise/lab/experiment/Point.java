package io.slotwise.lab.experiment;

import java.util.Comparator;

/** The key of an observation; {@code x} is the variable of the series, such as a number of nodes, or empty. */
public record Point(String series, String x, String metric) implements Comparable<Point> {
    private static final Comparator<Point> ORDER =
            Comparator.comparing(Point::series).thenComparing(Point::x).thenComparing(Point::metric);

    @Override
    public int compareTo(Point other) {
        return ORDER.compare(this, other);
    }
}
