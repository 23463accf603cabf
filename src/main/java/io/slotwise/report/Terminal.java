package io.slotwise.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The abilities of the reader's screen.
 *
 * @param columns its width in characters, at least {@link #NARROWEST}
 * @param unicode whether the terminal shows block and line characters; otherwise only ASCII
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

    /** Breaks a sentence between words at the width of the screen, with unchanged indentation. */
    public List<String> lines(String sentence) {
        String text = sentence.stripLeading();
        String indent = " ".repeat(sentence.length() - text.length());
        return TextTable.wrap(text, columns - indent.length()).stream()
                .map(indent::concat)
                .toList();
    }

    /** Returns the lines of a sentence, with a line feed after each. */
    public String paragraph(String sentence) {
        return lines(sentence).stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    public String bold(String text) {
        return styled("1", text);
    }

    /** Applies an ANSI rendition, such as {@code 1} for bold, if colours are on. */
    public String styled(String rendition, String text) {
        return colour ? "\u001b[" + rendition + "m" + text + "\u001b[0m" : text;
    }
}
