package io.slotwise.core.window.sweep;

/**
 * One pass over the slots of a gang in time order: the skeleton of the exact searches.
 *
 * <p>It goes in segments of seconds on which the free units stay the same and every unit's cost is linear in the start.
 * The least cost of a window is then a minimum of linear functions on a segment, hence concave: it is lowest on the
 * segment's first or last second, and if the first second is over a limit, the seconds within it are a suffix.
 */
abstract sealed class SlotSweep permits UniformSweep, MixedSweep {
    /** Begins anew, with all offers. */
    abstract void rewind();

    /** Moves on to the next segment; false behind the last one. */
    abstract boolean advance();

    /** Takes an offer's units out of the pass for good. */
    abstract void retire(int offer);

    /** First second of the segment. */
    abstract long from();

    /** Last second of the segment. */
    abstract long to();

    /** Whether there can be enough units for a window. */
    abstract boolean enough();

    /** Whether the cost can differ between the seconds of the segment. */
    abstract boolean moves();

    /** What the cheapest window at second {@code t} of the segment costs; above {@code limit}: any figure above it. */
    abstract long cheapest(long t, long limit);

    /**
     * What n units cost at least in the segment, in which there are fewer, if there are others at such a price; {@link
     * Long#MIN_VALUE}: that is not known.
     */
    long atLeast(long price) {
        return Long.MIN_VALUE;
    }

    /** No window of the whole pass costs less; {@link Long#MIN_VALUE}: that is not known. */
    long least() {
        return Long.MIN_VALUE;
    }

    /** The first second from {@code t} on with a window within the limit; {@link Long#MAX_VALUE}: none. */
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
