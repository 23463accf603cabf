package io.slotwise.core.cluster;

/**
 * The positions of the nodes whose free capacity has changed, in the order of the changes; the latest ones only.
 * Scratch of one planning run, not safe for threads that change it.
 */
final class TimelineJournal {
    private static final int FEWEST = 1 << 12;

    private final int[] latest;
    private final int mask;
    private long count;

    /** Of so many nodes. */
    TimelineJournal(int nodes) {
        int size = Math.max(FEWEST, Integer.highestOneBit(Math.max(1, nodes)) * 2);
        this.latest = new int[size];
        this.mask = size - 1;
    }

    /** A node has changed. */
    void note(int position) {
        latest[(int) count++ & mask] = position;
    }

    /** How many changes there have been. */
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
