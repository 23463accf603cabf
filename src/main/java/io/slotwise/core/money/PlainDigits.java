package io.slotwise.core.money;

/** Checks for digits from 0 to 9. Java also parses digits of other scripts, which few readers recognize. */
public final class PlainDigits {
    private PlainDigits() {}

    /** Returns a text whose digits are plain. Throws {@link NumberFormatException} otherwise. */
    public static String of(String text) {
        if (!text.chars().allMatch(c -> c < 0x80)) {
            throw new NumberFormatException(text);
        }
        return text;
    }
}
