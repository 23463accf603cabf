package io.slotwise.core.cluster;

/**
 * The latest changes of free capacity in order, each with its node's position and its seconds. Used for one
 * planning run, not thread-safe for writers.
 */
final class TimelineJournal {
    private static final int FEWEST = 1 << 12;

    private final int[] latest;
    private final long[] from;
    private final long[] to;
    private final int mask;
    private long count;

    TimelineJournal(int nodes) {
        int size = Math.max(FEWEST, Integer.highestOneBit(Math.max(1, nodes)) * 2);
        this.latest = new int[size];
        this.from = new long[size];
        this.to = new long[size];
        this.mask = size - 1;
    }

    /** Notes that room was taken on a node from one second until before another. */
    void took(int position, long start, long end) {
        int at = (int) count++ & mask;
        latest[at] = position;
        from[at] = start;
        to[at] = end;
    }

    /** Notes that room was given up on a node: any second may have more. */
    void gave(int position) {
        took(position, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Returns whether a known change can affect these seconds. */
    boolean concerns(long change, long start, long end) {
        int at = (int) change & mask;
        return from[at] == Long.MIN_VALUE || (from[at] < end && start < to[at]);
    }

    long count() {
        return count;
    }

    /** Returns whether all changes from this one on are known. */
    boolean knows(long since) {
        return count - since <= latest.length;
    }

    int position(long change) {
        return latest[(int) change & mask];
    }
}
