package io.slotwise.lab.workload.log;

import io.slotwise.lab.workload.log.Lines.Line;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A whole CSV text with names in its first line; lines that begin with {@code #} are comments. */
public final class CsvFile {
    private CsvFile() {}

    /** Takes the rows of a table. */
    @FunctionalInterface
    public interface Rows {
        void row(CsvTable table, LogRow row);
    }

    /** Hands over all rows in their order. */
    public static void read(TextSource source, Rows rows) {
        try (Lines lines = new Lines(source)) {
            CsvTable table = null;
            for (Line line = lines.next(); line != null; line = lines.next()) {
                if (line.isBlank() || line.text().startsWith("#")) {
                    continue;
                }
                if (table == null) {
                    table = new CsvTable(line);
                } else {
                    rows.row(table, table.row(line));
                }
            }
            if (table == null) {
                throw new MalformedWorkload(source.name(), "empty; expected a line with the names of columns");
            }
        }
    }

    /**
     * A value that {@code parse} understands or refuses with an IllegalArgumentException that says what was expected.
     */
    public static <T> T value(LogRow row, int column, String what, Function<String, T> parse) {
        String text = row.text(column, what);
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw row.malformed(column, what, String.valueOf(e.getMessage()));
        }
    }

    /** The same for a column that need not be there (0) or may be empty; then {@code usual}. */
    public static <T extends @Nullable Object> T optional(
            LogRow row, int column, String what, Function<String, T> parse, T usual) {
        return column == 0 || row.text(column, what).isEmpty() ? usual : value(row, column, what, parse);
    }
}
