package io.slotwise.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A figure or table of a paper.
 *
 * @param title which one, and what it shows
 * @param rows its numbers
 */
public record Figure(String title, List<ComparedNumber> rows) {
    public Figure {
        rows = List.copyOf(rows);
    }

    /** Of the rows that were observed those at these points. */
    Figure only(Set<Point> points) {
        return new Figure(
                title, rows.stream().filter(row -> points.contains(row.point())).toList());
    }

    /** Collects the rows of a figure from a tally. */
    public static final class Builder {
        private final String title;
        private final Tally tally;
        private final List<ComparedNumber> rows = new ArrayList<>();

        /** Of a figure with this title. */
        public Builder(String title, Tally tally) {
            this.title = title;
            this.tally = tally;
        }

        /** The mean of what was observed, without a number of the paper's. */
        public Builder mean(String series, String x, String metric) {
            return mean(series, x, metric, null);
        }

        /** The mean of what was observed beside the paper's number. */
        public Builder mean(String series, String x, String metric, @Nullable Double paper) {
            ExactSum sum = tally.at(series, x, metric);
            rows.add(new ComparedNumber(
                    new Point(series, x, metric), sum.count() == 0 ? null : sum.mean(), sum.halfWidth(), paper));
            return this;
        }

        /** A number that follows from others, without an interval. */
        public Builder value(String series, String x, String metric, double value, @Nullable Double paper) {
            rows.add(new ComparedNumber(
                    new Point(series, x, metric), Double.isFinite(value) ? value : null, null, paper));
            return this;
        }

        /** The figure. */
        public Figure build() {
            return new Figure(title, rows);
        }
    }
}
