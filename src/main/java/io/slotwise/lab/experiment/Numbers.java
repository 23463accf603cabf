package io.slotwise.lab.experiment;

import java.util.Locale;

/** Formats numbers for the evidence of findings. */
public final class Numbers {
    private Numbers() {}

    /** Returns one digit after the point. */
    public static String brief(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** Returns two digits after the point. */
    public static String two(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** Returns the signed change in percent, without digits after the point. */
    public static String change(double from, double to) {
        return String.format(Locale.ROOT, "%+.0f %%", (to / from - 1) * 100);
    }
}
