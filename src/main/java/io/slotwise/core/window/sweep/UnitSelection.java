package io.slotwise.core.window.sweep;

import org.jspecify.annotations.Nullable;

/** The start of the best window and which units it may take. */
public final class UnitSelection {
    private final long start;
    private final long longest;
    private final int @Nullable [] units;

    private UnitSelection(long start, long longest, int @Nullable [] units) {
        this.start = start;
        this.longest = longest;
        this.units = units;
    }

    /** The cheapest units at this second. */
    static UnitSelection cheapestAt(long start) {
        return new UnitSelection(start, Long.MAX_VALUE, null);
    }

    /** The cheapest units at this second that take no longer than {@code longest}. */
    static UnitSelection cheapestAt(long start, long longest) {
        return new UnitSelection(start, longest, null);
    }

    /** So many units of each node at this second. */
    public static UnitSelection of(long start, int[] units) {
        return new UnitSelection(start, Long.MAX_VALUE, units);
    }

    /** Seconds since the epoch. */
    public long start() {
        return start;
    }

    /** No unit takes longer, seconds. */
    public long longest() {
        return longest;
    }

    /** How many units of each node are taken; null: the cheapest of those that are not too long. */
    public int @Nullable [] units() {
        return units;
    }
}
