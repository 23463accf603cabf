package io.slotwise.prose;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the paragraphs, headings, items and cells out of a document in Markdown. Fenced code is left out. */
final class MarkdownProse {
    private static final Pattern FENCE = Pattern.compile("^(`{3,}|~{3,}|:{3,}).*");
    private static final Pattern CODE = Pattern.compile("(`+)(.+?)\\1");
    private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)](?:\\([^)]*\\)|\\[[^\\]]*])");
    private static final Pattern ADDRESS = Pattern.compile("<https?:[^>]*>");
    private static final Pattern ITEM = Pattern.compile("^(?:[-*+]|\\d+[.)])\\s+");
    private static final Pattern HEADING = Pattern.compile("^#+");
    private static final Pattern QUOTED = Pattern.compile("^[> ]+");
    private static final Pattern CELL = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern RULER = Pattern.compile("[\\s:-]*");

    private final List<Paragraph> found = new ArrayList<>();
    private final StringBuilder open = new StringBuilder();
    private int firstLine;

    private MarkdownProse() {}

    static List<Paragraph> of(String document) {
        MarkdownProse prose = new MarkdownProse();
        prose.read(document.lines().map(String::strip).toList());
        return prose.found;
    }

    private void read(List<String> lines) {
        String fence = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher bound = FENCE.matcher(line);
            if (!fence.isEmpty()) {
                if (line.startsWith(fence)
                        && line.replace(fence.substring(0, 1), "").isEmpty()) {
                    fence = "";
                }
            } else if (bound.matches()) {
                close();
                fence = line.startsWith(":") ? "" : bound.group(1);
            } else {
                readLine(line, i + 1);
            }
        }
        close();
    }

    private void readLine(String line, int number) {
        if (line.isEmpty() || line.startsWith("<!--")) {
            close();
        } else if (line.startsWith("|")) {
            close();
            String cells = CODE.matcher(line)
                    .replaceAll(code -> Matcher.quoteReplacement(code.group().replace('|', '/')));
            for (String cell : CELL.split(cells, -1)) {
                if (!RULER.matcher(cell).matches()) {
                    add(Paragraph.Kind.CELL, cell, number);
                }
            }
        } else if (line.startsWith("#")) {
            close();
            add(Paragraph.Kind.DOCUMENT, HEADING.matcher(line).replaceFirst(""), number);
        } else {
            Matcher item = ITEM.matcher(line);
            String text = line;
            if (item.find()) {
                close();
                text = line.substring(item.end());
            } else if (line.startsWith(">")) {
                text = QUOTED.matcher(line).replaceFirst("");
            }
            if (open.isEmpty()) {
                firstLine = number;
            }
            open.append(text).append(' ');
        }
    }

    private void close() {
        add(Paragraph.Kind.DOCUMENT, open.toString(), firstLine);
        open.setLength(0);
    }

    private void add(Paragraph.Kind kind, String markdown, int line) {
        String text = LINK.matcher(markdown).replaceAll(link -> Matcher.quoteReplacement(link.group(1)));
        text = Text.inOneLine(Text.withoutElements(ADDRESS.matcher(text).replaceAll("Code"))
                .replace("**", "")
                .replace("__", ""));
        if (!text.isEmpty()) {
            String prose = Text.withoutQuotations(CODE.matcher(text).replaceAll("Code"));
            found.add(new Paragraph(kind, line, prose, true, text.length()));
        }
    }
}
