package io.slotwise.core.recall;

import java.util.Arrays;
import java.util.BitSet;

/** Seconds in which a pod may start on nodes where it could not before. Used by one thread. */
final class NewStarts {
    private static final int FEW = 16;

    private int count;
    private int[] nodes = new int[FEW];
    private long[] first = new long[FEW];
    private long[] last = new long[FEW];

    /** On a node from one second to another. */
    void add(int node, long from, long to) {
        if (count == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * count);
            first = Arrays.copyOf(first, 2 * count);
            last = Arrays.copyOf(last, 2 * count);
        }
        nodes[count] = node;
        first[count] = from;
        last[count++] = to;
    }

    /** How many there are. */
    int size() {
        return count;
    }

    /** The node's position. */
    int node(int i) {
        return nodes[i];
    }

    long first(int i) {
        return first[i];
    }

    long last(int i) {
        return last[i];
    }

    /** Whether one is from the first to the last of these seconds. */
    boolean reaches(int i, long from, long to) {
        return first[i] <= to && last[i] >= from;
    }

    /** The nodes of all of them. */
    BitSet all() {
        BitSet all = new BitSet();
        for (int i = 0; i < count; i++) {
            all.set(nodes[i]);
        }
        return all;
    }
}
