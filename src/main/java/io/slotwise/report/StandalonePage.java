package io.slotwise.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The common part of pages without external resources: the head, tables, and escaping. */
public final class StandalonePage {
    private StandalonePage() {}

    /** Returns everything before the content, with a heading; {@code style} ends with a line feed. */
    public static String head(String title, String style) {
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>%s</title>
            <style>
            %s</style>
            </head>
            <body>
            <main>
            <h1>%s</h1>
            """.formatted(escaped(title), style, escaped(title));
    }

    public static String ofPoints(String title) {
        return head(title, text("simulation.css") + PointChart.STYLE);
    }

    public static String end() {
        return "</main>\n</body>\n</html>\n";
    }

    public static String paragraph(String text) {
        return "<p>%s</p>\n".formatted(escaped(text));
    }

    static String warning(String text) {
        return "<p class=\"warning\">%s</p>\n".formatted(escaped(text));
    }

    /** Returns a table that can be scrolled on a narrow screen, also by keyboard. */
    public static String table(String label, List<String> headings, List<List<String>> rows) {
        StringBuilder html =
                new StringBuilder("<div class=\"wide\" role=\"region\" aria-label=\"%s\" tabindex=\"0\"><table>\n"
                        .formatted(escaped(label)));
        row(html, "th", headings);
        rows.forEach(cells -> row(html, "td", cells));
        return html.append("</table></div>\n").toString();
    }

    public static String table(List<String> headings, List<List<String>> rows) {
        return table(String.join(", ", headings), headings, rows);
    }

    private static void row(StringBuilder html, String tag, List<String> cells) {
        html.append("<tr>");
        cells.forEach(cell -> html.append("<%s>%s</%s>".formatted(tag, escaped(cell), tag)));
        html.append("</tr>\n");
    }

    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    public static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    public static String text(String file) {
        try (InputStream bytes = Objects.requireNonNull(StandalonePage.class.getResourceAsStream(file), file)) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
