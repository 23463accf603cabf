package io.slotwise.it.load;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table. The first column names a row, and figures are right-aligned. */
final class Table {
    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table whose first column has no heading. */
    Table(List<String> headings) {
        this.headings = List.copyOf(headings);
    }

    void row(String name, List<String> cells) {
        if (cells.size() != headings.size()) {
            throw new IllegalArgumentException(
                    "The row %s (%s) must have %d cells.".formatted(name, cells, headings.size()));
        }
        List<String> row = new ArrayList<>(List.of(name));
        row.addAll(cells);
        rows.add(List.copyOf(row));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("| | ");
        text.append(String.join(" | ", headings)).append(" |\n| --- |");
        text.append(" ---: |".repeat(headings.size())).append('\n');
        rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
        return text.toString();
    }
}
