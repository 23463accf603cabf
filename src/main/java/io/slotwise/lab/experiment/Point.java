package io.slotwise.lab.experiment;

import java.util.Comparator;

/** What is observed; {@code x}: what the series runs over, such as a number of nodes, empty: nothing. */
public record Point(String series, String x, String metric) implements Comparable<Point> {
    private static final Comparator<Point> ORDER =
            Comparator.comparing(Point::series).thenComparing(Point::x).thenComparing(Point::metric);

    @Override
    public int compareTo(Point other) {
        return ORDER.compare(this, other);
    }
}
