package io.slotwise.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What the reader's screen can show.
 *
 * @param columns its width in characters, at least {@link #NARROWEST}
 * @param unicode whether block and line characters can be shown; false: plain ASCII
 */
public record Terminal(int columns, boolean colour, boolean unicode) {
    public static final int NARROWEST = 40;
    public static final int USUAL_WIDTH = 100;

    public Terminal {
        if (columns < NARROWEST) {
            throw new IllegalArgumentException(
                    "The width of the terminal (%d) must be at least %d.".formatted(columns, NARROWEST));
        }
    }

    public char glyph(char unicodeGlyph, char asciiGlyph) {
        return unicode ? unicodeGlyph : asciiGlyph;
    }

    /** A sentence in lines that this screen shows whole, broken between words, indented as it is. */
    public List<String> lines(String sentence) {
        String text = sentence.stripLeading();
        String indent = " ".repeat(sentence.length() - text.length());
        return TextTable.wrap(text, columns - indent.length()).stream()
                .map(indent::concat)
                .toList();
    }

    /** The same, each line ended by a line feed. */
    public String paragraph(String sentence) {
        return lines(sentence).stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    public String bold(String text) {
        return styled("1", text);
    }

    /** The text in this ANSI rendition, such as {@code 1} for bold, where colours are wanted. */
    public String styled(String rendition, String text) {
        return colour ? "\u001b[" + rendition + "m" + text + "\u001b[0m" : text;
    }
}
