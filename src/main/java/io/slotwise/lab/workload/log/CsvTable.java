package io.slotwise.lab.workload.log;

import io.slotwise.lab.workload.log.Lines.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** The columns of a CSV text by the names in its first line. Further columns are allowed. */
public final class CsvTable {
    private static final CSVFormat FORMAT =
            CSVFormat.DEFAULT.builder().setTrim(true).get();

    private final Map<String, Integer> positions = new HashMap<>();
    private final List<String> names;
    private final Line line;

    public CsvTable(Line line) {
        this.line = line;
        this.names = cut(line);
        for (int i = 0; i < names.size(); i++) {
            positions.putIfAbsent(names.get(i), i + 1);
        }
    }

    public List<String> names() {
        return names;
    }

    /** Returns the position of a column, from 1. The first existing one of several names counts. */
    public int column(String... alternatives) {
        Integer position = find(alternatives);
        if (position == null) {
            throw line.malformed(
                    1,
                    "there is no column %s: expected it among %s"
                            .formatted(String.join(" or ", alternatives), String.join(",", names)));
        }
        return position;
    }

    /** Returns the position of an optional column, or 0. */
    public int optional(String... alternatives) {
        Integer position = find(alternatives);
        return position == null ? 0 : position;
    }

    private @Nullable Integer find(String... alternatives) {
        for (String name : alternatives) {
            Integer position = positions.get(name);
            if (position != null) {
                return position;
            }
        }
        return null;
    }

    public LogRow row(Line line) {
        List<String> values = cut(line);
        if (values.size() != names.size()) {
            throw line.malformed(
                    Math.min(values.size(), names.size()) + 1,
                    "the line has %d columns: expected %d (%s)"
                            .formatted(values.size(), names.size(), String.join(",", names)));
        }
        return new LogRow(line, values);
    }

    /** Splits a line at commas. Quotes may contain commas, but no line ends. */
    static List<String> cut(Line line) {
        try (CSVParser parser = CSVParser.parse(line.text(), FORMAT)) {
            List<String> values = new ArrayList<>();
            for (CSVRecord cells : parser) {
                values.addAll(cells.toList());
            }
            return values;
        } catch (IOException | UncheckedIOException e) {
            throw line.malformed(1, "the quotes are not closed: expected comma-separated values");
        }
    }

    public static void read(TextSource source, BiConsumer<CsvTable, LogRow> rows) {
        try (Lines lines = new Lines(source)) {
            CsvTable table = null;
            for (Line line = lines.next(); line != null; line = lines.next()) {
                if (line.isBlank() || line.text().startsWith("#")) {
                    continue;
                }
                if (table == null) {
                    table = new CsvTable(line);
                } else {
                    rows.accept(table, table.row(line));
                }
            }
            if (table == null) {
                throw new MalformedWorkload(source.name(), "empty; expected a line with the names of columns");
            }
        }
    }

    /** Returns a value that {@code parse} accepts; it refuses others with an IllegalArgumentException. */
    public static <T> T value(LogRow row, int column, String what, Function<String, T> parse) {
        String text = row.text(column, what);
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw row.malformed(column, what, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the same for an optional column, or {@code usual} if the column is 0 or empty. */
    public static <T extends @Nullable Object> T orElse(
            LogRow row, int column, String what, Function<String, T> parse, T usual) {
        return column == 0 || row.text(column, what).isEmpty() ? usual : value(row, column, what, parse);
    }
}
