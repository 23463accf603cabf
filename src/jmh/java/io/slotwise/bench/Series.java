package io.slotwise.bench;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.RunResult;

/**
 * Times by a size, one row for each series.
 *
 * @param title of the table
 * @param sizeName the name of the varied size
 * @param times microseconds by series, then by size, both in the order of the table
 */
record Series(String title, String sizeName, Map<String, Map<Long, Double>> times) {
    /** The times of benchmarks that vary one parameter. */
    static Series of(
            String title, String sizeName, Collection<RunResult> results, List<String> seriesParameters, long factor) {
        Map<String, Map<Long, Double>> times = new LinkedHashMap<>();
        results.stream()
                .sorted(Comparator.comparingLong(
                        r -> Long.parseLong(r.getParams().getParam(sizeName))))
                .forEach(result -> times.computeIfAbsent(name(result, seriesParameters), _ -> new LinkedHashMap<>())
                        .put(
                                factor * Long.parseLong(result.getParams().getParam(sizeName)),
                                result.getPrimaryResult().getScore()));
        return new Series(title, sizeName, times);
    }

    private static String name(RunResult result, List<String> parameters) {
        String method = result.getPrimaryResult().getLabel();
        StringBuilder name = new StringBuilder(method);
        parameters.forEach(p -> name.append(' ')
                .append(result.getParams().getParam(p).toLowerCase(Locale.ROOT).replace('_', '-')));
        return name.toString();
    }

    /** The slope of log(time) over log(size), by least squares. */
    static double exponent(Map<Long, Double> times) {
        double meanSize = mean(times, e -> Math.log(e.getKey()));
        double meanTime = mean(times, e -> Math.log(e.getValue()));
        double both = mean(times, e -> (Math.log(e.getKey()) - meanSize) * (Math.log(e.getValue()) - meanTime));
        double square = mean(times, e -> Math.pow(Math.log(e.getKey()) - meanSize, 2));
        return both / square;
    }

    private static double mean(Map<Long, Double> times, ToDoubleFunction<Map.Entry<Long, Double>> value) {
        return times.entrySet().stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    /** A Markdown table in milliseconds, with the growth exponent. */
    String markdown() {
        StringBuilder text = new StringBuilder("### " + title + "\n\n| ms |");
        List<Long> sizes = times.values().stream()
                .flatMap(row -> row.keySet().stream())
                .distinct()
                .sorted()
                .toList();
        sizes.forEach(size -> text.append(" %,d |".formatted(size)));
        text.append(" growth |\n|---|").append("---:|".repeat(sizes.size() + 1)).append('\n');
        times.forEach((name, row) -> {
            text.append("| ").append(name).append(" |");
            sizes.forEach(
                    size -> text.append(row.containsKey(size) ? " %s |".formatted(milliseconds(row.get(size))) : " |"));
            text.append(row.size() > 1 ? " %.2f |%n".formatted(exponent(row)) : " |\n");
        });
        return text.append('\n').toString();
    }

    private static String milliseconds(double micros) {
        double ms = micros / 1000;
        return ms < 10 ? "%.2f".formatted(ms) : "%.1f".formatted(ms);
    }
}
