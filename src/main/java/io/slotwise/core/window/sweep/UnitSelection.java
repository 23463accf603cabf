package io.slotwise.core.window.sweep;

import org.jspecify.annotations.Nullable;

/** The start of the best window, and the units that it may take. */
public final class UnitSelection {
    private final long start;
    private final long longest;
    private final int @Nullable [] units;

    private UnitSelection(long start, long longest, int @Nullable [] units) {
        this.start = start;
        this.longest = longest;
        this.units = units;
    }

    static UnitSelection cheapestAt(long start) {
        return new UnitSelection(start, Long.MAX_VALUE, null);
    }

    static UnitSelection cheapestAt(long start, long longest) {
        return new UnitSelection(start, longest, null);
    }

    /** Returns a selection of the given number of units of each node at this second. */
    public static UnitSelection of(long start, int[] units) {
        return new UnitSelection(start, Long.MAX_VALUE, units);
    }

    /** Returns the start, seconds since the epoch. */
    public long start() {
        return start;
    }

    /** Returns the longest duration of a unit, seconds. */
    public long longest() {
        return longest;
    }

    /** Returns the units taken of each node, or null for the cheapest of those that are not too long. */
    public int @Nullable [] units() {
        return units;
    }
}
