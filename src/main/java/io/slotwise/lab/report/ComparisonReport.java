package io.slotwise.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.slotwise.core.money.Currency;
import io.slotwise.lab.simulation.metric.Comparison;
import io.slotwise.lab.simulation.metric.Comparison.Result;
import io.slotwise.lab.simulation.metric.PolicyMeasure;
import io.slotwise.lab.simulation.metric.PolicyMeasure.Percentiles;
import io.slotwise.report.CsvText;
import io.slotwise.report.Terminal;
import io.slotwise.report.TextTable;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A comparison of policies as a table, as JSON, which can be read back, and as CSV. */
public final class ComparisonReport {
    private static final int DIGITS = 5;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private ComparisonReport() {}

    /** The JSON document: the figures for readers, and the exact comparison for {@link #of}. */
    private record Document(boolean complete, Map<String, List<Row>> figures, Comparison comparison) {}

    private record Row(
            String metric,
            String unit,
            double mean,
            @Nullable Double ci95,
            @Nullable Percentiles percentiles) {
        static Row of(PolicyMeasure measure) {
            OptionalDouble halfWidth = measure.halfWidth();
            return new Row(
                    measure.metric(),
                    measure.unit(),
                    measure.mean(),
                    halfWidth.isPresent() ? halfWidth.getAsDouble() : null,
                    measure.percentiles());
        }
    }

    public static String json(Comparison comparison) {
        Map<String, List<Row>> figures = new LinkedHashMap<>();
        for (Result result : comparison.results()) {
            figures.put(result.policy(), result.figures().stream().map(Row::of).toList());
        }
        try {
            return writer().writeValueAsString(new Document(comparison.complete(), figures, comparison)) + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("A writer into memory must not fail.", e);
        }
    }

    private static ObjectWriter writer() {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        return JSON.writer(new DefaultPrettyPrinter().withObjectIndenter(lines));
    }

    public static boolean isOne(JsonNode document) {
        return document.path("comparison").isObject();
    }

    /** Reads the comparison that {@link #json} wrote. An incomplete document is an IllegalArgumentException. */
    public static Comparison of(JsonNode document) {
        try {
            return JSON.treeToValue(document.path("comparison"), Comparison.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("expected what simulate -o json printed", e);
        }
    }

    /** Returns one row for each figure of each policy; an unknown figure is an empty field. */
    public static String csv(Comparison comparison) {
        CsvText csv = new CsvText("\r\n", "policy,metric,unit,mean,ci95,p50,p90,p99,max");
        for (Result result : comparison.results()) {
            for (PolicyMeasure measure : result.figures()) {
                Percentiles percentiles = measure.percentiles();
                csv.row(
                        result.policy(),
                        measure.metric(),
                        measure.unit(),
                        measure.mean(),
                        measure.halfWidth().isPresent() ? measure.halfWidth().getAsDouble() : "",
                        percentiles == null ? null : percentiles.p50(),
                        percentiles == null ? null : percentiles.p90(),
                        percentiles == null ? null : percentiles.p99(),
                        percentiles == null ? null : percentiles.most());
            }
        }
        return csv.toString();
    }

    /** Returns measures by row and policies by column. Policies without room on the screen are in a table below. */
    public static String table(Comparison comparison, Currency currency, Terminal terminal) {
        List<String> tables = new ArrayList<>();
        List<Result> left = comparison.results();
        while (!left.isEmpty()) {
            int many = left.size();
            String table = table(comparison, left, currency, terminal);
            while (many > 1 && table.lines().anyMatch(line -> line.length() > terminal.columns())) {
                many--;
                table = table(comparison, left.subList(0, many), currency, terminal);
            }
            tables.add(table);
            left = left.subList(many, left.size());
        }
        return heading(comparison, terminal) + String.join("\n", tables);
    }

    private static String table(Comparison comparison, List<Result> shown, Currency currency, Terminal terminal) {
        TextTable<Line> table = new TextTable<Line>().left("metric", Line::label);
        for (int i = 0; i < shown.size(); i++) {
            int policy = i;
            table.right(shown.get(i).policy(), line -> line.cells.get(policy));
        }
        table.left("unit", Line::unit);
        List<Map<String, PolicyMeasure>> figures =
                shown.stream().map(ComparisonReport::byMetric).toList();
        List<Line> lines = new ArrayList<>();
        for (String metric : comparison.metrics()) {
            List<Optional<PolicyMeasure>> row = figures.stream()
                    .map(known -> Optional.ofNullable(known.get(metric)))
                    .toList();
            String unit = row.stream()
                    .flatMap(Optional::stream)
                    .findFirst()
                    .map(measure -> measure.unit(currency))
                    .orElse("");
            lines.add(Line.of(metric, unit, row, ComparisonReport::mean));
            if (row.stream().flatMap(Optional::stream).anyMatch(measure -> measure.percentiles() != null)) {
                lines.add(Line.of("  p50", unit, row, measure -> percentile(measure, Percentiles::p50)));
                lines.add(Line.of("  p90", unit, row, measure -> percentile(measure, Percentiles::p90)));
                lines.add(Line.of("  p99", unit, row, measure -> percentile(measure, Percentiles::p99)));
            }
        }
        return table.draw(lines, terminal);
    }

    /** A line with a cell for each policy. */
    private record Line(String label, String unit, List<String> cells) {
        static Line of(
                String label, String unit, List<Optional<PolicyMeasure>> row, Function<PolicyMeasure, String> cell) {
            return new Line(
                    label,
                    unit,
                    row.stream().map(measure -> measure.map(cell).orElse("-")).toList());
        }
    }

    private static String heading(Comparison comparison, Terminal terminal) {
        StringBuilder heading = new StringBuilder();
        heading.append("%s on %s".formatted(comparison.workload(), comparison.machine()));
        if (comparison.runs() > 1) {
            heading.append(", %d replications from seed %d".formatted(comparison.runs(), comparison.seed()));
        }
        if (comparison.shards() > 1) {
            heading.append(", shard %d/%d only".formatted(comparison.shard(), comparison.shards()));
        }
        return terminal.paragraph(heading.toString())
                + (comparison.complete()
                        ? ""
                        : terminal.paragraph("PARTIAL: stopped before the end; the figures are of the jobs that had "
                                + "ended by then."))
                + "\n";
    }

    private static Map<String, PolicyMeasure> byMetric(Result result) {
        Map<String, PolicyMeasure> figures = new LinkedHashMap<>();
        result.figures().forEach(measure -> figures.put(measure.metric(), measure));
        return figures;
    }

    private static String mean(PolicyMeasure measure) {
        String mean = brief(measure.mean());
        return measure.halfWidth().isPresent()
                ? mean + " ±" + brief(measure.halfWidth().getAsDouble())
                : mean;
    }

    private static String percentile(PolicyMeasure measure, Function<Percentiles, Double> which) {
        Percentiles percentiles = measure.percentiles();
        return percentiles == null ? "-" : brief(which.apply(percentiles));
    }

    /** Returns five significant digits, or all digits of a whole number. */
    static String brief(double value) {
        BigDecimal exact = BigDecimal.valueOf(value);
        if (exact.stripTrailingZeros().scale() <= 0) {
            return exact.toBigInteger().toString();
        }
        int whole = Math.max(0, exact.precision() - exact.scale());
        return exact.round(new MathContext(Math.max(DIGITS, whole)))
                .stripTrailingZeros()
                .toPlainString();
    }
}
