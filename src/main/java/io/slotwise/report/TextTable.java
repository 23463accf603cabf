package io.slotwise.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of text under a heading, columns as wide as their widest cell, two blanks between them. The last column wraps between words at
 * the width of the terminal.
 */
final class TextTable {
    private static final String GAP = "  ";
    /** A last column narrower than this is not wrapped: the terminal does it better. */
    private static final int LEAST_WRAPPED = 16;

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    /**
     * @param heading above the column
     * @param right whether cells end at the column's right edge: figures
     */
    record Column(String heading, boolean right) {
        static Column left(String heading) {
            return new Column(heading, false);
        }

        static Column right(String heading) {
            return new Column(heading, true);
        }
    }

    TextTable row(List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException("The row (%s) must have %d cells.".formatted(cells, columns.size()));
        }
        rows.add(List.copyOf(cells));
        return this;
    }

    /** All lines, the heading first, each ended by a line feed. */
    String draw(Terminal terminal) {
        int[] widths = widths();
        int indent = 0;
        for (int i = 0; i < widths.length - 1; i++) {
            indent += widths[i] + GAP.length();
        }
        StringBuilder text = new StringBuilder();
        List<String> headings = columns.stream().map(Column::heading).toList();
        text.append(terminal.bold(line(headings, widths).stripTrailing()));
        text.append('\n');
        for (List<String> row : rows) {
            List<String> wrapped = wrap(row.getLast(), terminal.columns() - indent);
            List<String> first = new ArrayList<>(row);
            first.set(row.size() - 1, wrapped.getFirst());
            text.append(line(first, widths).stripTrailing()).append('\n');
            for (String rest : wrapped.subList(1, wrapped.size())) {
                text.append(" ".repeat(indent)).append(rest).append('\n');
            }
        }
        return text.toString();
    }

    private int[] widths() {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            int widest = rows.stream()
                    .mapToInt(row -> row.get(column).length())
                    .max()
                    .orElse(0);
            widths[i] = Math.max(widest, columns.get(i).heading().length());
        }
        return widths;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            String blanks = " ".repeat(Math.max(0, widths[i] - cell.length()));
            line.append(i == 0 ? "" : GAP);
            line.append(columns.get(i).right() ? blanks + cell : cell + blanks);
        }
        return line.toString();
    }

    /** The text in lines of at most {@code width} characters, broken between words; a longer word keeps a line of its own. */
    static List<String> wrap(String text, int width) {
        if (width < LEAST_WRAPPED || text.length() <= width) {
            return List.of(text);
        }
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
