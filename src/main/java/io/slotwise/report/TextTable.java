package io.slotwise.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Rows of text under a heading, with columns as wide as their widest cell and two blanks between them. The last column
 * wraps between words at the width of the terminal, or is under its row if there is no room. If the other columns are
 * too wide, names are shortened in the middle, and then dispensable columns are left out.
 */
public final class TextTable<R> {
    private static final String GAP = "  ";
    /** The least width of the last column. If there is less room, its text is under each row. */
    private static final int LEAST_WRAPPED = 16;

    /** The least length of shortened names. */
    private static final int LEAST_NAME = 12;

    private static final String UNDER = "  ";
    private static final String NOTHING = "-";

    private final List<Column> columns = new ArrayList<>();
    private final List<Function<R, String>> cells = new ArrayList<>();

    /**
     * A column.
     *
     * @param right whether cells are aligned right, as figures are
     * @param name whether cells may be shortened
     * @param spare the order in which it is left out on a narrow screen, the least first; {@link #NEEDED} for never
     */
    private record Column(String heading, boolean right, boolean name, int spare) {
        private static final int NEEDED = Integer.MAX_VALUE;
    }

    public TextTable<R> left(String heading, Function<R, String> cell) {
        return column(new Column(heading, false, false, Column.NEEDED), cell);
    }

    public TextTable<R> right(String heading, Function<R, String> cell) {
        return column(new Column(heading, true, false, Column.NEEDED), cell);
    }

    public TextTable<R> name(String heading, Function<R, String> cell) {
        return column(new Column(heading, false, true, Column.NEEDED), cell);
    }

    private TextTable<R> column(Column column, Function<R, String> cell) {
        columns.add(column);
        cells.add(cell);
        return this;
    }

    /** Makes the latest column dispensable on a narrow screen, in this order. */
    public TextTable<R> spare(int turn) {
        Column latestColumn = columns.removeLast();
        columns.add(new Column(latestColumn.heading, latestColumn.right, latestColumn.name, turn));
        return this;
    }

    /** Keeps the latest column only if this holds. */
    public TextTable<R> when(boolean there) {
        if (!there) {
            columns.removeLast();
            cells.removeLast();
        }
        return this;
    }

    public List<String> headings() {
        return columns.stream().map(Column::heading).toList();
    }

    public List<List<String>> cells(List<R> rows) {
        return rows.stream()
                .map(row -> cells.stream().map(cell -> cell.apply(row)).toList())
                .toList();
    }

    /** Returns all lines, the heading first, each with a final line feed. */
    public String draw(List<R> rows, Terminal terminal) {
        return new Drawing(List.copyOf(columns), cells(rows), terminal).draw();
    }

    /** Breaks text between words at {@code width} characters; a longer word stays whole. */
    public static List<String> wrap(String text, int width) {
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

    private record Drawing(List<Column> columns, List<List<String>> rows, Terminal terminal) {
        String draw() {
            int[] widths = widths();
            int spared = spared(widths, terminal.columns());
            if (spared >= 0) {
                return without(spared).draw();
            }
            shorten(widths, terminal.columns());
            int indent = indent(widths);
            StringBuilder text = new StringBuilder();
            List<String> headings = columns.stream().map(Column::heading).toList();
            int least = Math.min(LEAST_WRAPPED, widths[widths.length - 1]);
            if (indent + least > terminal.columns()) {
                return under(text, headings, widths);
            }
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

        /** Returns the column to leave out; negative if none has to be, or none can. */
        private int spared(int[] widths, int width) {
            int least = -GAP.length();
            int spared = -1;
            for (int i = 0; i < widths.length - 1; i++) {
                Column column = columns.get(i);
                least += GAP.length() + (column.name() ? Math.min(widths[i], LEAST_NAME) : widths[i]);
                if (column.spare() != Column.NEEDED
                        && (spared < 0 || column.spare() < columns.get(spared).spare())) {
                    spared = i;
                }
            }
            return least > width ? spared : -1;
        }

        private Drawing without(int column) {
            List<List<String>> others =
                    rows.stream().map(row -> without(row, column)).toList();
            return new Drawing(without(columns, column), others, terminal);
        }

        private static <T> List<T> without(List<T> cells, int column) {
            List<T> others = new ArrayList<>(cells);
            others.remove(column);
            return others;
        }

        private static int indent(int[] widths) {
            int indent = 0;
            for (int i = 0; i < widths.length - 1; i++) {
                indent += widths[i] + GAP.length();
            }
            return indent;
        }

        /** Shortens names by the excess width of the columns before the last one. */
        private void shorten(int[] widths, int width) {
            int over = indent(widths) - GAP.length() - width;
            for (int i = 0; i < widths.length && over > 0; i++) {
                if (columns.get(i).name()) {
                    int less = Math.clamp(widths[i] - LEAST_NAME, 0, over);
                    widths[i] -= less;
                    over -= less;
                }
            }
        }

        /** Returns the text with the last column under each row. */
        private String under(StringBuilder text, List<String> headings, int[] widths) {
            int last = columns.size() - 1;
            text.append(terminal.bold(line(headings.subList(0, last), widths).stripTrailing()));
            text.append('\n')
                    .append(UNDER)
                    .append(terminal.bold(headings.getLast()))
                    .append('\n');
            for (List<String> row : rows) {
                text.append(line(row.subList(0, last), widths).stripTrailing()).append('\n');
                if (!row.getLast().equals(NOTHING) && !row.getLast().isEmpty()) {
                    wrap(row.getLast(), terminal.columns() - UNDER.length())
                            .forEach(rest -> text.append(UNDER).append(rest).append('\n'));
                }
            }
            return text.toString();
        }

        /** Returns the beginning and the end of a name, which often distinguishes it from others. */
        private String shortened(String name, int width) {
            String mark = terminal.unicode() ? "…" : "..";
            if (name.length() <= width || width <= mark.length()) {
                return name;
            }
            int end = (width - mark.length()) / 2;
            return name.substring(0, width - mark.length() - end) + mark + name.substring(name.length() - end);
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
                String cell = columns.get(i).name() ? shortened(cells.get(i), widths[i]) : cells.get(i);
                String blanks = " ".repeat(Math.max(0, widths[i] - cell.length()));
                line.append(i == 0 ? "" : GAP);
                line.append(columns.get(i).right() ? blanks + cell : cell + blanks);
            }
            return line.toString();
        }
    }
}
