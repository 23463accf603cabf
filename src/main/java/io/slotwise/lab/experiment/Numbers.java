package io.slotwise.lab.experiment;

import java.util.Locale;

/** How the evidence of findings writes numbers. */
public final class Numbers {
    private Numbers() {}

    /** With one digit after the point. */
    public static String brief(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** With two digits after the point. */
    public static String two(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** As a signed percentage of another number, without digits after the point. */
    public static String change(double from, double to) {
        return String.format(Locale.ROOT, "%+.0f %%", (to / from - 1) * 100);
    }
}
