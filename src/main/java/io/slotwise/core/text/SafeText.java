package io.slotwise.core.text;

import org.jspecify.annotations.Nullable;

/**
 * What others wrote, as it may stand in a log, an event, a condition or a page: in one line, without a character that a
 * terminal obeys or that no reader sees, and not longer than a reader bears. Such a character is shown as {@code \n},
 * {@code \r}, {@code \t} or {@code \}{@code u001b}. What is shown already stays as it is.
 */
public final class SafeText {
    /** The most characters of a value within a sentence that are shown. */
    public static final int LONGEST_VALUE = 120;
    /** The longest sentence, characters. */
    public static final int LONGEST_LINE = 1000;

    private static final String GAP = " ... ";
    /** What was expected stands at a sentence's end. */
    private static final int END_OF_LINE = 300;

    private SafeText() {}

    /** A value within a sentence: its beginning and how long it is where it is longer than {@link #LONGEST_VALUE}. */
    public static String value(@Nullable String text) {
        if (text == null || text.length() <= LONGEST_VALUE) {
            return escaped(String.valueOf(text));
        }
        return "%s... (%d characters)".formatted(escaped(start(text, LONGEST_VALUE)), text.length());
    }

    /** A sentence: its beginning and its end where it is longer than {@link #LONGEST_LINE}. */
    public static String line(@Nullable String text) {
        // Cut before and after: an escaped character is longer.
        return cut(escaped(cut(String.valueOf(text))));
    }

    /** Whether a name is shown as it is: not blank, of visible characters, at most {@code most} of them. */
    public static boolean isPlain(String name, int most) {
        return !name.isBlank()
                && name.length() <= most
                && name.codePoints().noneMatch(c -> isHidden(c) || Character.isWhitespace(c));
    }

    /** The same text, however long, in one line of visible characters. O(length). */
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

    /** Never half a character. */
    private static String start(String text, int length) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
