package io.slotwise.core.money;

/** Numbers with no other digits than 0 to 9: Java also reads those of other scripts, which few readers recognise. */
public final class PlainDigits {
    private PlainDigits() {}

    /** A text whose digits are plain; throws {@link NumberFormatException} otherwise. */
    public static String of(String text) {
        if (!text.chars().allMatch(c -> c < 0x80)) {
            throw new NumberFormatException(text);
        }
        return text;
    }
}
