package io.slotwise.chart;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the table of values from the comments of {@code values.yaml}: {@code # --} before a value begins its meaning.
 */
final class ValuesTable {
    private static final Pattern COMMENT = Pattern.compile("\\s*# -- (.*)");
    private static final Pattern VALUE = Pattern.compile("( *)([A-Za-z][A-Za-z-]*):(?: (.*))?");

    private ValuesTable() {}

    /**
     * A line of the table.
     *
     * @param name the value's keys, joined by dots
     * @param standard its default as written, empty for an object of several lines
     * @param meaning its comment
     */
    record Row(String name, String standard, String meaning) {
        String readme() {
            String shown = standard.isEmpty() ? "see values.yaml" : "`" + standard + "`";
            return "| %s | %s | %s |".formatted(name, shown, meaning.replace("|", "\\|"));
        }
    }

    private record Level(int indent, String key) {}

    /** The rows in the order of the file. */
    static List<Row> of(String values) {
        List<Row> rows = new ArrayList<>();
        Deque<Level> path = new ArrayDeque<>();
        String meaning = "";
        for (String line : values.lines().toList()) {
            Matcher comment = COMMENT.matcher(line);
            Matcher value = VALUE.matcher(line);
            if (comment.matches()) {
                meaning = comment.group(1);
            } else if (value.matches()) {
                int indent = value.group(1).length();
                while (!path.isEmpty() && path.getLast().indent() >= indent) {
                    path.removeLast();
                }
                path.addLast(new Level(indent, value.group(2)));
                if (!meaning.isEmpty()) {
                    rows.add(new Row(
                            path.stream().map(Level::key).collect(Collectors.joining(".")),
                            value.group(3) == null ? "" : value.group(3),
                            meaning));
                }
                meaning = "";
            }
        }
        return rows;
    }
}
