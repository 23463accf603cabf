package io.slotwise.core.slot;

import java.util.Comparator;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * A key for each node, by position, that tells from below what a pod adds to a sum there, whatever its runtime: no less
 * than the key times the seconds that the pod takes on the reference node. So gangs of one pod size share what follows
 * from the order of the keys. Two keys are the same only if they are one object. Immutable.
 */
public final class NodeKeys {
    private final long[] keys;

    /** The positions, least key first. */
    private final int[] order;

    /** The keys of so many nodes; not negative. */
    NodeKeys(int nodes, IntToLongFunction key) {
        this.keys = new long[nodes];
        for (int i = 0; i < nodes; i++) {
            keys[i] = key.applyAsLong(i);
        }
        this.order = IntStream.range(0, nodes)
                .boxed()
                .sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The key of the node at this position. */
    public long of(int node) {
        return keys[node];
    }

    /** The least of all; 0 if there are none. */
    public long least() {
        return order.length == 0 ? 0 : keys[order[0]];
    }

    /** The position of the node that comes at this rank, counted from 0, in the order of the keys. */
    public int node(int rank) {
        return order[rank];
    }

    /** Of how many nodes the key is no more than this; O(log nodes). */
    public int upTo(long key) {
        int low = 0;
        int high = order.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (keys[order[middle]] <= key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
