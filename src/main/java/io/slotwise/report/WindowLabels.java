package io.slotwise.report;

/** The letter by which a window is found again in the picture: A to Z, then a to z, then {@code *} for all the rest. */
final class WindowLabels {
    private static final String ALL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    /** Shared by all windows that no letter is left for. */
    static final char REST = '*';

    private WindowLabels() {}

    /** The letter of the window at this position of the report. */
    static char of(int position) {
        return position < ALL.length() ? ALL.charAt(position) : REST;
    }
}
