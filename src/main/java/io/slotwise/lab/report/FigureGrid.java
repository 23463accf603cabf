package io.slotwise.lab.report;

import io.slotwise.lab.experiment.ComparedNumber;
import io.slotwise.lab.experiment.Figure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A figure's numbers in rows and columns: a row for each series and a column for each x where there is one metric only;
 * otherwise a column for each metric, and a row for each series and x. Numbers of a second reading stand in a second
 * column beside each metric, and in a second row below each series where the columns are those of x.
 *
 * @param headings of the columns
 * @param names how many columns name the row
 * @param rows one cell for each column
 */
record FigureGrid(List<String> headings, int names, List<List<String>> rows) {
    private static final String NONE = "";
    private static final String SECOND = "with this reading";

    /** Of a figure, with this between a number and half of its interval. */
    static FigureGrid of(Figure figure, String plusMinus) {
        List<String> metrics = distinct(figure, row -> row.point().metric());
        List<String> xs = distinct(figure, row -> row.point().x());
        boolean across = metrics.size() == 1 && xs.size() > 1;
        boolean named = across || xs.size() == 1;
        Map<List<String>, Map<String, String>> cells = new LinkedHashMap<>();
        for (ComparedNumber row : figure.rows()) {
            String series = row.point().series();
            List<String> name =
                    named ? List.of(series) : List.of(series, row.point().x());
            String column = across ? row.point().x() : row.point().metric();
            cells.computeIfAbsent(name, _ -> new LinkedHashMap<>()).put(column, cell(row, plusMinus));
            if (row.second() != null) {
                List<String> line = across ? List.of(series + ", " + SECOND) : name;
                String beside = across ? column : beside(column);
                cells.computeIfAbsent(line, _ -> new LinkedHashMap<>()).put(beside, second(row, plusMinus));
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
                    .anyMatch(
                            row -> row.second() != null && row.point().metric().equals(metric))) {
                columns.add(beside(metric));
            }
        }
        return columns;
    }

    private static List<String> distinct(Figure figure, Function<ComparedNumber, String> of) {
        return figure.rows().stream().map(of).distinct().toList();
    }

    private static String cell(ComparedNumber row, String plusMinus) {
        Double value = row.value();
        Double ci95 = row.ci95();
        Double paper = row.paper();
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

    /** The number of the second reading, and how it stands to the paper's. */
    private static String second(ComparedNumber row, String plusMinus) {
        ComparedNumber.Second second = row.second();
        ComparedNumber.Verdict verdict = row.verdict();
        return second == null
                ? NONE
                : measured(second.value(), second.ci95(), plusMinus) + (verdict == null ? "" : ", " + verdict.word());
    }

    private static String measured(double value, @Nullable Double ci95, String plusMinus) {
        return number(value, value) + (ci95 == null ? "" : " " + plusMinus + number(ci95, value));
    }

    /** With as many digits after the point as suit a number of the size of {@code like}. */
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
