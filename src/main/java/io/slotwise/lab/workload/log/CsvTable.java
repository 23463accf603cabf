package io.slotwise.lab.workload.log;

import io.slotwise.lab.workload.log.Lines.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a CSV text by the names in its first line; their order is free, and columns that no caller asks for
 * are not looked at.
 */
public final class CsvTable {
    private static final CSVFormat FORMAT =
            CSVFormat.DEFAULT.builder().setTrim(true).get();

    private final Map<String, Integer> positions = new HashMap<>();
    private final List<String> names;
    private final Line header;

    /** A table with this first line. */
    public CsvTable(Line header) {
        this.header = header;
        this.names = cut(header);
        for (int i = 0; i < names.size(); i++) {
            positions.putIfAbsent(names.get(i), i + 1);
        }
    }

    /** The names in the order of the text. */
    public List<String> names() {
        return names;
    }

    /**
     * The position of a column, counted from 1; where there are several names for it, the first that is there counts.
     */
    public int column(String... alternatives) {
        Integer position = find(alternatives);
        if (position == null) {
            throw header.malformed(
                    1,
                    "there is no column %s: expected it among %s"
                            .formatted(String.join(" or ", alternatives), String.join(",", names)));
        }
        return position;
    }

    /** The position of a column that need not be there; 0: it is not. */
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

    /** A line below the first. */
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

    /** Comma-separated columns of a line; quotes may enclose commas, not line ends. */
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
}
