package io.slotwise.core.cluster;

/**
 * The positions of the nodes whose free capacity has changed, and when, in the order of the changes; the latest ones
 * only. Scratch of one planning run, not safe for threads that change it.
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

    /** Room was taken on a node from one second until before another. */
    void took(int position, long start, long end) {
        int at = (int) count++ & mask;
        latest[at] = position;
        from[at] = start;
        to[at] = end;
    }

    /** Room was given back on a node: more may be there at any second. */
    void gave(int position) {
        took(position, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Whether a change, which is known, can matter to who looks at these seconds alone. */
    boolean concerns(long change, long start, long end) {
        int at = (int) change & mask;
        return from[at] == Long.MIN_VALUE || (from[at] < end && start < to[at]);
    }

    long count() {
        return count;
    }

    /** Whether all changes are known from this one on. */
    boolean knows(long since) {
        return count - since <= latest.length;
    }

    /** The node of a change, which is known. */
    int position(long change) {
        return latest[(int) change & mask];
    }
}
