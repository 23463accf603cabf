package io.slotwise.report;

import io.slotwise.experiment.Figure;
import io.slotwise.experiment.Row;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A figure's numbers in rows and columns: a row for each series and a column for each x where there is one metric only; otherwise a
 * column for each metric, and a row for each series and x.
 *
 * @param headings of the columns
 * @param names how many columns name the row
 * @param rows one cell for each column
 */
record FigureGrid(List<String> headings, int names, List<List<String>> rows) {
    private static final String NONE = "";

    /** Of a figure, with this between a number and half of its interval. */
    static FigureGrid of(Figure figure, String plusMinus) {
        List<String> metrics = distinct(figure, row -> row.point().metric());
        List<String> xs = distinct(figure, row -> row.point().x());
        boolean across = metrics.size() == 1 && xs.size() > 1;
        boolean named = across || xs.size() == 1;
        List<String> columns = across ? xs : metrics;
        Map<List<String>, Map<String, String>> cells = new LinkedHashMap<>();
        for (Row row : figure.rows()) {
            String series = row.point().series();
            List<String> name =
                    named ? List.of(series) : List.of(series, row.point().x());
            String column = across ? row.point().x() : row.point().metric();
            cells.computeIfAbsent(name, _ -> new LinkedHashMap<>()).put(column, cell(row, plusMinus));
        }
        List<String> headings =
                new ArrayList<>(named ? List.of(across ? metrics.getFirst() : NONE) : List.of(NONE, NONE));
        int names = headings.size();
        headings.addAll(columns);
        List<List<String>> rows = new ArrayList<>();
        cells.forEach((name, values) -> {
            List<String> line = new ArrayList<>(name);
            columns.forEach(column -> line.add(values.getOrDefault(column, NONE)));
            rows.add(line);
        });
        return new FigureGrid(headings, names, rows);
    }

    private static List<String> distinct(Figure figure, Function<Row, String> of) {
        return figure.rows().stream().map(of).distinct().toList();
    }

    private static String cell(Row row, String plusMinus) {
        Double value = row.value();
        Double ci95 = row.ci95();
        Double paper = row.paper();
        StringBuilder cell = new StringBuilder(value == null ? "-" : number(value, value));
        if (value != null && ci95 != null) {
            cell.append(' ').append(plusMinus).append(number(ci95, value));
        }
        if (paper != null) {
            BigDecimal plain = BigDecimal.valueOf(paper).stripTrailingZeros();
            int scale = Math.clamp(plain.scale(), 0, decimals(paper));
            cell.append(" [")
                    .append(plain.setScale(scale, RoundingMode.HALF_EVEN).toPlainString())
                    .append(']');
        }
        return cell.toString();
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
