package io.slotwise.lab.report;

import io.slotwise.lab.experiment.ComparedNumber;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.report.CsvText;
import io.slotwise.report.JsonObject;
import io.slotwise.report.Terminal;
import io.slotwise.report.TextTable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The results of experiments as tables, one for each figure of the paper, followed by the findings; as Markdown, JSON
 * and CSV.
 */
public final class ExperimentReport {
    private ExperimentReport() {}

    public static String list(List<ExperimentProfile> experiments, Terminal terminal) {
        return new TextTable<ExperimentProfile>()
                .left("EXPERIMENT", ExperimentProfile::name)
                .right("RUNS", profile -> "%,d".formatted(profile.runs()))
                .name(
                        "SOURCE",
                        profile -> profile.source().year() + ", "
                                + profile.source().place())
                .left("WHAT IT COMPARES", ExperimentProfile::title)
                .draw(experiments, terminal);
    }

    public static String table(ExperimentResults results, Terminal terminal) {
        ExperimentProfile profile = results.profile();
        String plusMinus = String.valueOf(terminal.glyph('±', '~'));
        StringBuilder text = new StringBuilder();
        text.append(terminal.styled("1", profile.name() + ": " + profile.title()))
                .append('\n');
        paragraph(text, profile.source().toString(), terminal);
        paragraph(text, cells(results, plusMinus), terminal);
        for (Figure figure : results.conclusion().figures()) {
            text.append('\n').append(figure.title()).append('\n');
            FigureGrid grid = FigureGrid.of(figure, plusMinus);
            TextTable<List<String>> table = new TextTable<>();
            for (int i = 0; i < grid.headings().size(); i++) {
                int column = i;
                String heading = grid.headings().get(i);
                if (i < grid.names()) {
                    table.left(heading, row -> row.get(column));
                } else {
                    table.right(heading, row -> row.get(column));
                }
            }
            text.append(table.draw(grid.rows(), terminal));
        }
        text.append("\nFindings\n").append(findings(results.conclusion().findings(), terminal));
        text.append("\nReadings\n");
        profile.readings().forEach(reading -> paragraph(text, "- " + reading, terminal));
        if (!profile.second().isEmpty()) {
            text.append("\nWith this reading\n");
            profile.second().forEach(reading -> paragraph(text, "- " + reading, terminal));
        }
        return text.toString();
    }

    private static String cells(ExperimentResults results, String plusMinus) {
        return "%,d runs (the paper: %,d), seed %d. Cells: ours %s half of the 95 %% confidence interval [the paper's]."
                .formatted(results.runs(), results.profile().runs(), results.seed(), plusMinus);
    }

    private static void paragraph(StringBuilder text, String words, Terminal terminal) {
        TextTable.wrap(words, terminal.columns())
                .forEach(line -> text.append(line).append('\n'));
    }

    private static String findings(List<Finding> findings, Terminal terminal) {
        return new TextTable<Finding>()
                .left("WHERE", Finding::place)
                .left("HOLDS", finding -> finding.verdict().word())
                .left("FINDING", ExperimentReport::words)
                .draw(findings, terminal);
    }

    private static String words(Finding finding) {
        Finding.Second second = finding.second();
        return finding.statement() + ". Here: " + finding.evidence() + "."
                + (second == null
                        ? ""
                        : " With this reading: %s: %s."
                                .formatted(second.verdict().word(), second.evidence()));
    }

    public static String markdown(ExperimentResults results) {
        ExperimentProfile profile = results.profile();
        StringBuilder text = new StringBuilder();
        text.append("## `%s`: %s\n\n".formatted(profile.name(), profile.title()));
        text.append(profile.source()).append(".\n\n");
        text.append(cells(results, "±")).append("\n\nReadings:\n\n");
        profile.readings().forEach(reading -> text.append("- ").append(reading).append('\n'));
        if (!profile.second().isEmpty()) {
            text.append("\nWith this reading, the second number of each, on the same seeds:\n\n");
            profile.second()
                    .forEach(reading -> text.append("- ").append(reading).append('\n'));
        }
        for (Figure figure : results.conclusion().figures()) {
            text.append("\n**").append(figure.title()).append("**\n\n");
            FigureGrid grid = FigureGrid.of(figure, "±");
            line(text, grid.headings());
            line(
                    text,
                    Stream.concat(
                                    Collections.nCopies(grid.names(), "---").stream(),
                                    Collections.nCopies(grid.headings().size() - grid.names(), "---:").stream())
                            .toList());
            grid.rows().forEach(row -> line(text, row));
        }
        text.append("\n**Findings**\n\n");
        findings(text, results.conclusion().findings());
        return text.toString();
    }

    private static void findings(StringBuilder text, List<Finding> findings) {
        boolean twice = findings.stream().anyMatch(finding -> finding.second() != null);
        List<String> headings = twice
                ? List.of("Where", "What the paper finds", "Holds", "Here", "With this reading", "There")
                : List.of("Where", "What the paper finds", "Holds", "Here");
        line(text, headings);
        line(text, Collections.nCopies(headings.size(), "---"));
        for (Finding finding : findings) {
            Finding.Second second = finding.second();
            List<String> cells = new ArrayList<>(List.of(
                    finding.place(), finding.statement(), finding.verdict().word(), finding.evidence()));
            if (twice) {
                cells.add(second == null ? "" : second.verdict().word());
                cells.add(second == null ? "" : second.evidence());
            }
            line(text, cells);
        }
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /**
     * Returns indented JSON with a final line feed. {@code x} is a number or a string, and null for a series without a
     * variable. {@code ci95} and {@code paper} are null if there is none, {@code value} if nothing was observed. With a
     * second reading, {@code reading} and {@code reading95} are its number and interval, and {@code verdict} compares
     * it with the first. A finding then has {@code holdsWithReading} and {@code evidenceWithReading}.
     */
    public static String json(ExperimentResults results) {
        return new JsonObject()
                .put("experiment", results.profile().name())
                .put("runs", results.runs())
                .put("seed", results.seed())
                .putEach("rows", results.rows(), ExperimentReport::json)
                .putEach("findings", results.conclusion().findings(), ExperimentReport::json)
                .document();
    }

    private static JsonObject json(Finding finding) {
        JsonObject json = new JsonObject()
                .put("place", finding.place())
                .put("finding", finding.statement())
                .put("holds", finding.verdict().word())
                .put("evidence", finding.evidence());
        Finding.Second second = finding.second();
        return second == null
                ? json
                : json.put("holdsWithReading", second.verdict().word()).put("evidenceWithReading", second.evidence());
    }

    private static JsonObject json(ComparedNumber number) {
        String x = number.point().x();
        boolean isNumber = x.matches("-?\\d+(\\.\\d+)?");
        JsonObject json = new JsonObject()
                .put("series", number.point().series())
                .put("x", x.isEmpty() ? null : isNumber ? new BigDecimal(x) : x)
                .put("metric", number.point().metric())
                .put("value", number.value())
                .put("ci95", number.ci95())
                .put("paper", number.paper());
        ComparedNumber.Second second = number.second();
        return second == null
                ? json
                : json.put("reading", second.value())
                        .put("reading95", second.ci95())
                        .put("verdict", verdict(number));
    }

    private static @Nullable String verdict(ComparedNumber number) {
        ComparedNumber.Verdict verdict = number.verdict();
        return verdict == null ? null : verdict.word();
    }

    /** Returns all numbers as CSV (RFC 4180), a row each; a missing number is an empty field. */
    public static String csv(List<ExperimentResults> experiments) {
        CsvText csv =
                new CsvText("\r\n", "experiment,runs,seed,series,x,metric,value,ci95,paper,reading,reading95,verdict");
        for (ExperimentResults results : experiments) {
            for (ComparedNumber number : results.rows()) {
                ComparedNumber.Second second = number.second();
                csv.row(
                        results.profile().name(),
                        results.runs(),
                        results.seed(),
                        number.point().series(),
                        number.point().x(),
                        number.point().metric(),
                        number.value(),
                        number.ci95(),
                        number.paper(),
                        second == null ? null : second.value(),
                        second == null ? null : second.ci95(),
                        verdict(number));
            }
        }
        return csv.toString();
    }

    /**
     * A figure's numbers in rows and columns. With one metric there is a row for each series and a column for each x,
     * otherwise a row for each series and x and a column for each metric. Numbers of a second reading are in a second
     * row below each series in the first case, and in a second column next to each metric in the second.
     *
     * @param rows one cell for each column
     */
    private record FigureGrid(List<String> headings, int names, List<List<String>> rows) {
        private static final String NONE = "";
        private static final String SECOND = "with this reading";

        /** Creates the grid of a figure; {@code plusMinus} separates a number and half of its interval. */
        static FigureGrid of(Figure figure, String plusMinus) {
            List<String> metrics = distinct(figure, number -> number.point().metric());
            List<String> xs = distinct(figure, number -> number.point().x());
            boolean across = metrics.size() == 1 && xs.size() > 1;
            boolean named = across || xs.size() == 1;
            Map<List<String>, Map<String, String>> cells = new LinkedHashMap<>();
            for (ComparedNumber number : figure.rows()) {
                String series = number.point().series();
                List<String> name =
                        named ? List.of(series) : List.of(series, number.point().x());
                String column = across ? number.point().x() : number.point().metric();
                cells.computeIfAbsent(name, _ -> new LinkedHashMap<>()).put(column, cell(number, plusMinus));
                if (number.second() != null) {
                    List<String> line = across ? List.of(series + ", " + SECOND) : name;
                    String beside = across ? column : beside(column);
                    cells.computeIfAbsent(line, _ -> new LinkedHashMap<>()).put(beside, second(number, plusMinus));
                }
            }
            List<String> headings =
                    new ArrayList<>(named ? List.of(across ? metrics.getFirst() : NONE) : List.of(NONE, NONE));
            int names = headings.size();
            List<String> columns = across ? xs : metrics(figure, metrics);
            headings.addAll(columns);
            List<List<String>> rows = new ArrayList<>();
            cells.forEach((name, values) -> {
                List<String> line = new ArrayList<>(name);
                columns.forEach(column -> line.add(values.getOrDefault(column, NONE)));
                rows.add(line);
            });
            return new FigureGrid(headings, names, rows);
        }

        private static String beside(String metric) {
            return metric + " " + SECOND;
        }

        private static List<String> metrics(Figure figure, List<String> metrics) {
            List<String> columns = new ArrayList<>();
            for (String metric : metrics) {
                columns.add(metric);
                if (figure.rows().stream()
                        .anyMatch(number -> number.second() != null
                                && number.point().metric().equals(metric))) {
                    columns.add(beside(metric));
                }
            }
            return columns;
        }

        private static List<String> distinct(Figure figure, Function<ComparedNumber, String> of) {
            return figure.rows().stream().map(of).distinct().toList();
        }

        private static String cell(ComparedNumber number, String plusMinus) {
            Double value = number.value();
            Double ci95 = number.ci95();
            Double paper = number.paper();
            StringBuilder cell = new StringBuilder(value == null ? "-" : measured(value, ci95, plusMinus));
            if (paper != null) {
                BigDecimal plain = BigDecimal.valueOf(paper).stripTrailingZeros();
                int scale = Math.clamp(plain.scale(), 0, decimals(paper));
                cell.append(" [")
                        .append(plain.setScale(scale, RoundingMode.HALF_EVEN).toPlainString())
                        .append(']');
            }
            return cell.toString();
        }

        /** Returns the second reading's number and its verdict. */
        private static String second(ComparedNumber number, String plusMinus) {
            ComparedNumber.Second second = number.second();
            ComparedNumber.Verdict verdict = number.verdict();
            return second == null
                    ? NONE
                    : measured(second.value(), second.ci95(), plusMinus)
                            + (verdict == null ? "" : ", " + verdict.word());
        }

        private static String measured(double value, @Nullable Double ci95, String plusMinus) {
            return number(value, value) + (ci95 == null ? "" : " " + plusMinus + number(ci95, value));
        }

        /** Returns as many digits after the point as suit a number of the size of {@code like}. */
        private static String number(double value, double like) {
            return BigDecimal.valueOf(value)
                    .setScale(decimals(like), RoundingMode.HALF_EVEN)
                    .toPlainString();
        }

        private static int decimals(double value) {
            double size = Math.abs(value);
            return size >= 100 ? 1 : size >= 1 ? 2 : 3;
        }
    }
}
