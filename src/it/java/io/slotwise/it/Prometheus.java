package io.slotwise.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prometheus' own query engine on scraped metrics: the program {@code src/it/control-plane/promql}, which keeps series
 * as Prometheus does (labels of the target, {@code up}, {@code exported_} labels, stale series).
 */
public final class Prometheus {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path program;

    /** Creates an engine from the program among those of the control plane. */
    public Prometheus(Path program) {
        this.program = program;
    }

    /**
     * A scrape of a target.
     *
     * @param time milliseconds since the epoch
     * @param target the labels that Prometheus gives to the target
     * @param text its metrics, or null if it did not answer
     */
    public record Scrape(
            long time, Map<String, String> target, @Nullable String text) {}

    /** A query over a range of time, milliseconds since the epoch, both ends included. */
    public record Query(String expr, long start, long end, long step) {
        public static Query at(String expr, long time) {
            return new Query(expr, time, time, 1000);
        }
    }

    /** An error in a query, with the range of characters if known. */
    public record Fault(
            String message,
            @Nullable Integer start,
            @Nullable Integer end) {}

    /** A selector of a query, with the number of series that it has matched at any time. */
    public record Selector(String expr, int matches) {}

    /** A value at a time, as Prometheus writes it, including {@code NaN} and {@code +Inf}. */
    public record Point(long time, String value) {
        /** Returns whether the value is a number that can be drawn. */
        public boolean isFinite() {
            return !value.equals("NaN") && !value.endsWith("Inf");
        }

        /** The number. Precondition: {@code isFinite}. */
        public double number() {
            return Double.parseDouble(value);
        }
    }

    /** A line of a panel. */
    public record Series(Map<String, String> labels, List<Point> points) {}

    /** The answer to a query. */
    public record Answer(@Nullable Fault error, List<Selector> selectors, List<Series> series) {
        /** All finite values of all series. */
        public List<Double> numbers() {
            return series.stream()
                    .flatMap(one -> one.points().stream())
                    .filter(Point::isFinite)
                    .map(Point::number)
                    .toList();
        }
    }

    private record Question(List<Scrape> scrapes, List<Query> queries) {}

    /** Evaluates queries over scrapes, in the order of the queries. */
    public List<Answer> answer(List<Scrape> scrapes, List<Query> queries) {
        try {
            Process engine = new ProcessBuilder(program.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (OutputStream in = engine.getOutputStream()) {
                in.write(JSON.writeValueAsBytes(new Question(scrapes, queries)));
            }
            byte[] answers = engine.getInputStream().readAllBytes();
            if (engine.waitFor() != 0) {
                throw new IllegalStateException("The query engine (" + program + ") failed; it has said why.");
            }
            return List.of(JSON.readValue(answers, Answer[].class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while queries were evaluated.", e);
        }
    }
}
