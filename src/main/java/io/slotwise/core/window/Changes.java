package io.slotwise.core.window;

import io.slotwise.core.slot.SlotList;
import java.util.Arrays;

/**
 * The changes of the slots of all nodes in time order, in segments of seconds on which nothing changes: the scan of the general
 * scheme AEP (algorithm searching for extreme performance).
 *
 * <p>Use: {@code while (changes.advance()) { while (changes.next()) { ... node(), added() ... } ... from(), to() ... }}. A node
 * that is {@link #retire retired} never appears again.
 *
 * <p>O(m) for m changes: they are ordered by a radix sort. Two arrays of m longs, nothing allocated in the scan. Source: V.
 * Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for Economic Scheduling
 * in Distributed Computing" (2013), section 2.1; there the list of slots is ordered by start, and their ends are looked for at
 * every step.
 */
final class Changes {
    private static final int INDEX_BITS = 32;
    private static final int DIGIT = 11;

    /** Marks a node that is out of the search. */
    private static final int RETIRED = -1;

    private final SlotList slots;
    private final long[] events;
    private final int size;
    private final int[] next;
    private final int[] held;

    private int position;
    private long second;
    private long from;
    private long to;
    private int node;
    private int added;

    /**
     * Orders the changes.
     *
     * @param slots the slots of the nodes
     * @param breakpoints further seconds at which a segment ends, in any order
     */
    Changes(SlotList slots, long[] breakpoints) {
        this.slots = slots;
        int nodes = slots.offers().size();
        this.next = new int[nodes];
        this.held = new int[nodes];
        long earliest = slots.earliest();
        long latest = earliest;
        long[] all = new long[slots.size() + breakpoints.length];
        int n = 0;
        for (int i = 0; i < nodes; i++) {
            int end = slots.offset(i + 1);
            next[i] = slots.offset(i);
            for (int p = slots.offset(i); p < end; p++) {
                all[n++] = (slots.time(p) - earliest) << INDEX_BITS | (i + 1);
            }
            if (end > slots.offset(i)) {
                latest = Math.max(latest, slots.time(end - 1));
            }
        }
        for (long t : breakpoints) {
            if (t > earliest && t < latest) {
                all[n++] = (t - earliest) << INDEX_BITS;
            }
        }
        this.size = n;
        this.events = sorted(all, n, latest - earliest);
    }

    /** Radix sort of the first {@code n} events by their second, the least significant digits first. */
    private static long[] sorted(long[] events, int n, long span) {
        long[] from = events;
        long[] into = new long[n];
        int[] offsets = new int[1 << DIGIT];
        for (int shift = 0; shift == 0 || span >>> shift > 0; shift += DIGIT) {
            int low = INDEX_BITS + shift;
            Arrays.fill(offsets, 0);
            for (int i = 0; i < n; i++) {
                offsets[(int) (from[i] >>> low) & ((1 << DIGIT) - 1)]++;
            }
            int sum = 0;
            for (int d = 0; d < offsets.length; d++) {
                int count = offsets[d];
                offsets[d] = sum;
                sum += count;
            }
            for (int i = 0; i < n; i++) {
                into[offsets[(int) (from[i] >>> low) & ((1 << DIGIT) - 1)]++] = from[i];
            }
            long[] swap = from;
            from = into;
            into = swap;
        }
        return from;
    }

    /** Moves on to the next segment; false behind the last one. */
    boolean advance() {
        if (position == size) {
            return false;
        }
        second = events[position] >>> INDEX_BITS;
        from = slots.earliest() + second;
        return true;
    }

    /** Steps to the next node that changes at the segment's first second; false if there is none left, and then {@link #to} is known. */
    boolean next() {
        while (position < size && events[position] >>> INDEX_BITS == second) {
            int i = (int) events[position++] - 1;
            if (i >= 0 && held[i] != RETIRED) {
                int count = slots.count(next[i]++);
                node = i;
                added = count - held[i];
                held[i] = count;
                return true;
            }
        }
        to = position == size ? from : slots.earliest() + (events[position] >>> INDEX_BITS) - 1;
        return false;
    }

    /** Takes a node out of the search for good; how many units it held. */
    int retire(int i) {
        int units = held[i];
        held[i] = RETIRED;
        return Math.max(units, 0);
    }

    /** The node that changes. */
    int node() {
        return node;
    }

    /** How many units it has more than before; negative: fewer. */
    int added() {
        return added;
    }

    /** How many units the node has now, -1 for one that is retired. */
    int held(int i) {
        return held[i];
    }

    /** First second of the segment. */
    long from() {
        return from;
    }

    /** Last second of the segment. */
    long to() {
        return to;
    }
}
