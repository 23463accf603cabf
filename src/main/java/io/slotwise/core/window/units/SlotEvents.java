package io.slotwise.core.window.units;

import io.slotwise.core.slot.SlotList;
import java.util.Arrays;

/**
 * The changes of the slots of all nodes in time order, in segments of seconds on which nothing changes: the scan of the
 * general scheme AEP (algorithm searching for extreme performance).
 *
 * <p>Use: {@link #advance} to each segment, then {@link #next} to each node that changes at its first second, described
 * by {@code node()} and {@code added()}, then read {@link #from} and {@link #to}. A node that is {@link #retire
 * retired} never appears again.
 *
 * <p>The changes are distributed to ranges of time once, O(m) for m changes. A range is sorted when the scan reaches
 * it, so a scan that stops early has not sorted the rest. O(m log(m / ranges)) at most. Two arrays of m longs; nothing
 * is allocated in the scan. Source: the paper on AEP, section 2.1; there the list of slots is ordered by start, and
 * their ends are searched at every step.
 */
public final class SlotEvents {
    /** Bits of the units in an event, which packs a second, a node, and 1 + its units then, or 0 for a breakpoint. */
    private static final int UNIT_BITS = 17;

    private static final int NODE_BITS = 20;
    private static final int SECOND_SHIFT = UNIT_BITS + NODE_BITS;
    private static final long UNIT_MASK = (1L << UNIT_BITS) - 1;
    private static final int NODE_MASK = (1 << NODE_BITS) - 1;

    /** Bits of the number of ranges: at most 2^12, and fewer if they would have less than about 2^2 changes. */
    private static final int STRETCH_BITS = 12;

    private static final int CHANGES_BITS = 2;

    private static final int RETIRED = -1;

    private final long earliest;
    private final long[] events;
    private final int[] held;

    /** The end of each range, and the number of sorted ranges. */
    private final int[] ends;

    private int sortedStretches;
    private int sorted;

    private int position;
    private long second;
    private long from;
    private long to;
    private int node;
    private int added;

    /**
     * Distributes the changes.
     *
     * @param slots the slots of at most 2^20 nodes and 2^26 seconds
     * @param units the most units of a node that matter, less than 2^17 - 1
     * @param breakpoints further seconds at which a segment ends, in any order
     */
    public SlotEvents(SlotList slots, int units, long[] breakpoints) {
        int nodes = slots.offers().size();
        long latest = slots.latest();
        this.earliest = slots.earliest();
        if (nodes > NODE_MASK || units >= UNIT_MASK || latest - earliest >= 1L << (Long.SIZE - 1 - SECOND_SHIFT)) {
            throw new IllegalArgumentException(
                    "A search over %d nodes for %d pods in %d seconds is too large; expected at most %d, %d and %d."
                            .formatted(
                                    nodes,
                                    units,
                                    latest - earliest,
                                    NODE_MASK,
                                    UNIT_MASK - 1,
                                    1L << (Long.SIZE - 1 - SECOND_SHIFT)));
        }
        this.held = new int[nodes];
        long[] all = new long[slots.size() + breakpoints.length];
        int n = packed(slots, units, all);
        for (long t : breakpoints) {
            if (t > earliest && t < latest) {
                all[n++] = (t - earliest) << SECOND_SHIFT;
            }
        }
        int bits = Math.clamp(Integer.SIZE - Integer.numberOfLeadingZeros(n) - CHANGES_BITS, 1, STRETCH_BITS);
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(latest - earliest) - bits) + SECOND_SHIFT;
        this.ends = new int[1 << bits];
        this.events = dealt(all, n, shift);
    }

    private int packed(SlotList slots, int units, long[] into) {
        int n = 0;
        for (int i = 0; i < held.length; i++) {
            int end = slots.offset(i + 1);
            long before = 0;
            for (int p = slots.offset(i); p < end; p++) {
                long count = Math.min(slots.count(p), units);
                if (count != before) {
                    into[n++] = (slots.time(p) - earliest) << SECOND_SHIFT | (long) i << UNIT_BITS | (count + 1);
                    before = count;
                }
            }
        }
        return n;
    }

    /** Returns the events grouped by range, in any order within it. */
    private long[] dealt(long[] all, int n, int shift) {
        int[] next = new int[ends.length];
        for (int e = 0; e < n; e++) {
            ends[(int) (all[e] >>> shift)]++;
        }
        int sum = 0;
        for (int s = 0; s < ends.length; s++) {
            next[s] = sum;
            sum += ends[s];
            ends[s] = sum;
        }
        long[] into = new long[n];
        for (int e = 0; e < n; e++) {
            into[next[(int) (all[e] >>> shift)]++] = all[e];
        }
        return into;
    }

    /** Restarts with all nodes; sorted ranges stay sorted. */
    public void rewind() {
        Arrays.fill(held, 0);
        position = 0;
    }

    /** Moves to the next segment; returns false after the last one. */
    public boolean advance() {
        if (!reached()) {
            return false;
        }
        second = events[position] >>> SECOND_SHIFT;
        from = earliest + second;
        return true;
    }

    /** Returns whether there is an event at the scan's position, and sorts its range if necessary. */
    private boolean reached() {
        while (position == sorted && sorted < events.length) {
            int end = ends[sortedStretches++];
            Arrays.sort(events, sorted, end);
            sorted = end;
        }
        return position < sorted;
    }

    /** Moves to the next node that changes at the segment's first second. After the last one {@link #to} is known. */
    public boolean next() {
        while (reached()) {
            long event = events[position];
            if (event >>> SECOND_SHIFT != second) {
                to = earliest + (event >>> SECOND_SHIFT) - 1;
                return false;
            }
            position++;
            int i = (int) (event >>> UNIT_BITS) & NODE_MASK;
            int count = (int) (event & UNIT_MASK) - 1;
            if (count >= 0 && held[i] != RETIRED) {
                node = i;
                added = count - held[i];
                held[i] = count;
                return true;
            }
        }
        to = from;
        return false;
    }

    /** Removes a node for good, and returns how many units it held. */
    public int retire(int i) {
        int units = held[i];
        held[i] = RETIRED;
        return Math.max(units, 0);
    }

    public int node() {
        return node;
    }

    /** Returns how many more units the node has than before, negative if fewer. */
    public int added() {
        return added;
    }

    /** Returns how many units the node has now, -1 if it is retired. */
    public int held(int i) {
        return held[i];
    }

    /** Returns the first second of the segment. */
    public long from() {
        return from;
    }

    /** Returns the last second of the segment. */
    public long to() {
        return to;
    }
}
