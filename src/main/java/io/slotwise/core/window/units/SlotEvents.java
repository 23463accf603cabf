package io.slotwise.core.window.units;

import io.slotwise.core.slot.SlotList;
import java.util.Arrays;

/**
 * The changes of the slots of all nodes in time order, in segments of seconds on which nothing changes: the scan of the
 * general scheme AEP (algorithm searching for extreme performance).
 *
 * <p>Use: {@code while (changes.advance()) { while (changes.next()) { ... node(), added() ... } ... from(), to() ...
 * }}. A node that is {@link #retire retired} never appears again.
 *
 * <p>The changes are dealt into stretches of time once, O(m) for m changes; a stretch is sorted when the scan comes to
 * it, so a scan that stops early has not sorted the rest. O(m log(m / stretches)) at most. Two arrays of m longs,
 * nothing is allocated in the scan. Source: the paper on AEP, section 2.1; there the list of slots is ordered by start,
 * and their ends are looked for at every step.
 */
public final class SlotEvents {
    /** A change is one number: its second from the earliest on, the node, and 1 + its units then; 0: a breakpoint. */
    private static final int UNIT_BITS = 17;

    private static final int NODE_BITS = 20;
    private static final int SECOND_SHIFT = UNIT_BITS + NODE_BITS;
    private static final long UNIT_MASK = (1L << UNIT_BITS) - 1;
    private static final int NODE_MASK = (1 << NODE_BITS) - 1;

    /** There are at most 2^12 stretches, and fewer where they would have less than about 2^2 changes. */
    private static final int STRETCH_BITS = 12;

    private static final int CHANGES_BITS = 2;

    /** Marks a node that is out of the search. */
    private static final int RETIRED = -1;

    private final long earliest;
    private final long[] events;
    private final int[] held;

    /** Where each stretch ends, and how many stretches are sorted. */
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
     * Deals the changes out.
     *
     * @param slots the slots of the nodes, at most 2^20 nodes and 2^26 seconds
     * @param units more units than these on one node do not matter, less than 2^17 - 1
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

    /** The events of each stretch together, in any order within it. */
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

    /** Begins anew with all nodes; what is sorted stays so. */
    public void rewind() {
        Arrays.fill(held, 0);
        position = 0;
    }

    /** Moves on to the next segment; false behind the last one. */
    public boolean advance() {
        if (!reached()) {
            return false;
        }
        second = events[position] >>> SECOND_SHIFT;
        from = earliest + second;
        return true;
    }

    /** Whether there is an event at the scan's position; it is in its place then. */
    private boolean reached() {
        while (position == sorted && sorted < events.length) {
            int end = ends[sortedStretches++];
            Arrays.sort(events, sorted, end);
            sorted = end;
        }
        return position < sorted;
    }

    /** Steps to the next node that changes at the segment's first second; false: none, and {@link #to} is known. */
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

    /** Takes a node out of the search for good; how many units it held. */
    public int retire(int i) {
        int units = held[i];
        held[i] = RETIRED;
        return Math.max(units, 0);
    }

    public int node() {
        return node;
    }

    /** How many units it has more than before; negative: fewer. */
    public int added() {
        return added;
    }

    /** How many units the node has now, -1 for one that is retired. */
    public int held(int i) {
        return held[i];
    }

    /** First second of the segment. */
    public long from() {
        return from;
    }

    /** Last second of the segment. */
    public long to() {
        return to;
    }
}
