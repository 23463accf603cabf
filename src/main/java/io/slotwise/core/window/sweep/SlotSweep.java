package io.slotwise.core.window.sweep;

/**
 * A pass over the slots of a gang in time order: the base of the exact searches.
 *
 * <p>A pass goes in segments of seconds on which the free units stay the same and every unit's cost is linear in the
 * start. The least cost of a window is then a minimum of linear functions on a segment, hence concave. So it is lowest
 * on the segment's first or last second. If the first second is over a limit, the seconds within it are a suffix.
 */
abstract sealed class SlotSweep permits UniformSweep, MixedSweep {
    /** Restarts the pass with all offers. */
    abstract void rewind();

    /** Moves to the next segment; returns false after the last one. */
    abstract boolean advance();

    /** Removes an offer's units from the pass for good. */
    abstract void retire(int offer);

    /** Returns the first second of the segment. */
    abstract long from();

    /** Returns the last second of the segment. */
    abstract long to();

    /** Returns whether there can be enough units for a window. */
    abstract boolean enough();

    /** Returns whether the cost can differ between the seconds of the segment. */
    abstract boolean moves();

    /** Returns the cost of the cheapest window at second {@code t}; above {@code limit}, any figure above it. */
    abstract long cheapest(long t, long limit);

    /**
     * Returns the least cost of n units in a segment with fewer units, if there are others at such a price; {@link
     * Long#MIN_VALUE} if unknown.
     */
    long atLeast(long price) {
        return Long.MIN_VALUE;
    }

    /** Returns a lower bound of the cost in the whole pass; {@link Long#MIN_VALUE} if unknown. */
    long least() {
        return Long.MIN_VALUE;
    }

    /** Returns the first second from {@code t} on with a window within the limit, or {@link Long#MAX_VALUE}. */
    final long firstWithin(long limit, long t, long last) {
        if (!enough()) {
            return Long.MAX_VALUE;
        }
        if (cheapest(t, limit) <= limit) {
            return t;
        }
        if (last == t || !moves() || cheapest(last, limit) > limit) {
            return Long.MAX_VALUE;
        }
        long over = t;
        long within = last;
        while (within - over > 1) {
            long middle = over + (within - over) / 2;
            if (cheapest(middle, limit) <= limit) {
                within = middle;
            } else {
                over = middle;
            }
        }
        return within;
    }
}
