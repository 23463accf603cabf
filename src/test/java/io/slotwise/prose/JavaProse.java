package io.slotwise.prose;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the paragraphs out of the comments of a Java source. Neighbouring {@code //} lines are one comment. */
final class JavaProse {
    private static final Pattern BEGIN_OF_LINE = Pattern.compile("(?m)^[ \\t]*\\*? ?");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)<pre>.*?(?:</pre>|$)");
    private static final Pattern CODE = Pattern.compile(
            "\\{@(?:code|literal|snippet|value|inheritDoc)\\b(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*})*})*}|`[^`\\n]+`");
    private static final Pattern BARE_LINK =
            Pattern.compile("\\{@(?:link|linkplain)\\s+[^\\s{}(]+(?:\\([^)]*\\))?\\s*}");
    private static final Pattern LABELLED_LINK =
            Pattern.compile("\\{@(?:link|linkplain)\\s+[^\\s{}(]+(?:\\([^)]*\\))?\\s+([^{}]*)}");
    private static final Pattern BOUND = Pattern.compile("\\n\\s*(?=@\\w)|\\n\\s*\\n"
            + "|\\s*</?(?:p|ul|ol|li|table|tr|td|th|dl|dt|dd|blockquote|h\\d)\\b[^>]*>\\s*");
    private static final Pattern TAG = Pattern.compile("^@(?:(?:param|throws|exception)\\s+\\S+|\\w+)\\s*");

    private JavaProse() {}

    static List<Paragraph> of(String source) {
        List<Paragraph> found = new ArrayList<>();
        StringBuilder lines = new StringBuilder(); // of a comment of several // lines
        int firstLine = 0;
        int line = 1;
        int at = 0;
        int endOfLines = -1;
        while (at < source.length()) {
            int end = endOfToken(source, at);
            if (end == at + 1) {
                line += source.charAt(at) == '\n' ? 1 : 0;
                at = end;
                continue;
            }
            String token = source.substring(at, end);
            if (token.startsWith("//")) {
                if (endOfLines < 0 || !source.substring(endOfLines, at).isBlank()) {
                    addLines(found, lines, firstLine);
                    firstLine = line;
                }
                lines.append(token.substring(2)).append('\n');
                endOfLines = isAloneInItsLine(source, at) ? end : -1;
            } else if (token.startsWith("/*")) {
                addLines(found, lines, firstLine);
                boolean javadoc = token.startsWith("/**") && token.length() > 4;
                String text = token.substring(javadoc ? 3 : 2, token.length() - 2);
                add(found, javadoc ? Paragraph.Kind.JAVADOC : Paragraph.Kind.COMMENT, line, text);
            }
            line += (int) token.chars().filter(c -> c == '\n').count();
            at = end;
        }
        addLines(found, lines, firstLine);
        return found;
    }

    private static void addLines(List<Paragraph> found, StringBuilder lines, int line) {
        if (!lines.isEmpty()) {
            add(found, Paragraph.Kind.COMMENT, line, lines.toString());
            lines.setLength(0);
        }
    }

    private static boolean isAloneInItsLine(String source, int at) {
        return source.substring(source.lastIndexOf('\n', at) + 1, at).isBlank();
    }

    /** Returns the end of the comment or literal that begins here, otherwise of the character. */
    private static int endOfToken(String source, int at) {
        if (source.startsWith("//", at)) {
            return indexOrEnd(source, "\n", at);
        }
        if (source.startsWith("/*", at)) {
            return Math.min(source.length(), indexOrEnd(source, "*/", at + 2) + 2);
        }
        char first = source.charAt(at);
        if (first != '"' && first != '\'') {
            return at + 1;
        }
        String quote = source.startsWith("\"\"\"", at) ? "\"\"\"" : String.valueOf(first);
        int end = at + quote.length();
        while (end < source.length() && !source.startsWith(quote, end)) {
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        return Math.min(source.length(), end + quote.length());
    }

    private static int indexOrEnd(String source, String text, int from) {
        int index = source.indexOf(text, from);
        return index < 0 ? source.length() : index;
    }

    private static void add(List<Paragraph> found, Paragraph.Kind kind, int line, String comment) {
        String text = BEGIN_OF_LINE.matcher(comment).replaceAll("");
        text = EXAMPLE.matcher(text).replaceAll("\n\n");
        text = CODE.matcher(text).replaceAll("Code");
        text = BARE_LINK.matcher(text).replaceAll("Code");
        text = LABELLED_LINK.matcher(text).replaceAll(label -> Matcher.quoteReplacement(label.group(1)));
        boolean opening = true;
        for (String part : BOUND.split(text.strip(), -1)) {
            Matcher tag = TAG.matcher(part);
            boolean tagged = tag.find();
            String paragraph = Text.inOneLine(Text.withoutElements(tagged ? part.substring(tag.end()) : part)
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&amp;", "&"));
            if (!paragraph.isEmpty()) {
                String prose = Text.withoutQuotations(paragraph);
                found.add(new Paragraph(kind, line, prose, opening && !tagged, prose.length()));
                opening = false;
            }
        }
    }
}
