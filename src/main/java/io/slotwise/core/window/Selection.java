package io.slotwise.core.window;

import org.jspecify.annotations.Nullable;

/** The start of the best window and which units it may take. */
final class Selection {
    private final long start;
    private final long longest;
    private final int @Nullable [] units;

    private Selection(long start, long longest, int @Nullable [] units) {
        this.start = start;
        this.longest = longest;
        this.units = units;
    }

    /** The cheapest units at this second. */
    static Selection cheapestAt(long start) {
        return new Selection(start, Long.MAX_VALUE, null);
    }

    /** The cheapest units at this second that take no longer than {@code longest}. */
    static Selection cheapestAt(long start, long longest) {
        return new Selection(start, longest, null);
    }

    /** So many units of each node at this second. */
    static Selection of(long start, int[] units) {
        return new Selection(start, Long.MAX_VALUE, units);
    }

    /** Seconds since the epoch. */
    long start() {
        return start;
    }

    /** No unit takes longer, seconds. */
    long longest() {
        return longest;
    }

    /** How many units of each node are taken; null: the cheapest of those that are not too long. */
    int @Nullable [] units() {
        return units;
    }
}
