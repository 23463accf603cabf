package io.slotwise.core.text;

import org.jspecify.annotations.Nullable;

/**
 * Makes foreign text safe for a log, an event, a condition or a page: one line of limited length, without control
 * characters and invisible characters. Such a character is shown as {@code \n}, {@code \r}, {@code \t} or {@code
 * \}{@code u001b}. Safe text stays as it is.
 */
public final class SafeText {
    /** The most shown characters of a value within a sentence. */
    public static final int LONGEST_VALUE = 120;
    /** The longest sentence, characters. */
    public static final int LONGEST_LINE = 1000;

    private static final String GAP = " ... ";
    /** The characters kept of a sentence's end, which says what was expected. */
    private static final int END_OF_LINE = 300;

    private SafeText() {}

    /** Returns a value within a sentence, shortened to its beginning and its length if it is too long. */
    public static String value(@Nullable String text) {
        if (text == null || text.length() <= LONGEST_VALUE) {
            return escaped(String.valueOf(text));
        }
        return "%s... (%d characters)".formatted(escaped(start(text, LONGEST_VALUE)), text.length());
    }

    /** Returns a sentence. One longer than {@link #LONGEST_LINE} has its beginning and its end. */
    public static String line(@Nullable String text) {
        // Cut before and after: an escaped character is longer.
        return cut(escaped(cut(String.valueOf(text))));
    }

    /** Returns whether a name is shown unchanged: not blank, of visible characters, at most {@code most} of them. */
    public static boolean isPlain(String name, int most) {
        return !name.isBlank()
                && name.length() <= most
                && name.codePoints().noneMatch(c -> isHidden(c) || Character.isWhitespace(c));
    }

    /** Returns the whole text in one line of visible characters. O(length). */
    public static String escaped(String text) {
        if (text.codePoints().noneMatch(SafeText::isHidden)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (!isHidden(c)) {
                shown.appendCodePoint(c);
            } else {
                switch (c) {
                    case '\n' -> shown.append("\\n");
                    case '\r' -> shown.append("\\r");
                    case '\t' -> shown.append("\\t");
                    default -> {
                        for (char unit : Character.toChars(c)) {
                            shown.append("\\u%04x".formatted((int) unit));
                        }
                    }
                }
            }
        });
        return shown.toString();
    }

    private static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static String cut(String text) {
        if (text.length() <= LONGEST_LINE) {
            return text;
        }
        int from = text.length() - END_OF_LINE;
        int end = Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from;
        return start(text, LONGEST_LINE - END_OF_LINE - GAP.length()) + GAP + text.substring(end);
    }

    /** Never splits a character. */
    private static String start(String text, int length) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
