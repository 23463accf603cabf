package io.slotwise.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A figure or table of a paper. */
public record Figure(String title, List<ComparedNumber> rows) {
    public Figure {
        rows = List.copyOf(rows);
    }

    /** Returns the means of one metric for each of these series and x. */
    public static Figure grid(String title, Tally tally, String metric, List<String> series, List<String> xs) {
        Builder builder = new Builder(title, tally);
        series.forEach(one -> xs.forEach(x -> builder.mean(one, x, metric)));
        return builder.build();
    }

    Figure only(Set<Point> points) {
        return new Figure(
                title,
                rows.stream().filter(number -> points.contains(number.point())).toList());
    }

    public static final class Builder {
        private final String title;
        private final Tally tally;
        private final List<ComparedNumber> rows = new ArrayList<>();

        public Builder(String title, Tally tally) {
            this.title = title;
            this.tally = tally;
        }

        public Builder mean(String series, String x, String metric) {
            return mean(series, x, metric, null);
        }

        /** Adds the mean of the observations next to the paper's number. */
        public Builder mean(String series, String x, String metric, @Nullable Double paper) {
            ExactSum sum = tally.at(series, x, metric);
            rows.add(new ComparedNumber(
                    new Point(series, x, metric), sum.count() == 0 ? null : sum.mean(), sum.halfWidth(), paper));
            return this;
        }

        /** Adds the means of these metrics at one point, next to the paper's numbers in the same order, or null. */
        public Builder means(String series, String x, List<String> metrics, @Nullable List<@Nullable Double> paper) {
            for (int i = 0; i < metrics.size(); i++) {
                mean(series, x, metrics.get(i), paper == null ? null : paper.get(i));
            }
            return this;
        }

        /** Adds a derived number without an interval. */
        public Builder value(String series, String x, String metric, double value, @Nullable Double paper) {
            rows.add(new ComparedNumber(
                    new Point(series, x, metric), Double.isFinite(value) ? value : null, null, paper));
            return this;
        }

        public Figure build() {
            return new Figure(title, rows);
        }
    }
}
