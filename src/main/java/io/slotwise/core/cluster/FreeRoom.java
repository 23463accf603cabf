package io.slotwise.core.cluster;

import org.jspecify.annotations.Nullable;

/**
 * What was free on the nodes of a timeline at one moment, for another timeline to go on from. Immutable: a timeline
 * that changes afterwards does so on a copy, node by node, so that what did not change is there once.
 */
public final class FreeRoom {
    private final long origin;
    private final long[][] data;
    private final int[] pieces;
    private final int[] @Nullable [] wraps;

    /** What is free on these nodes from a second on. */
    FreeRoom(Iterable<NodeTimeline> nodes, int count, long origin) {
        this.origin = origin;
        this.data = new long[count][];
        this.pieces = new int[count];
        this.wraps = new int[count][];
        int i = 0;
        for (NodeTimeline node : nodes) {
            data[i] = node.share();
            pieces[i] = node.pieces();
            wraps[i] = node.wraps();
            i++;
        }
    }

    /** It is not known what was free before this second, since the epoch. */
    public long origin() {
        return origin;
    }

    /** The node, which is empty, has free what the one at a position had. */
    void bring(NodeTimeline node, int position) {
        node.goOn(data[position], pieces[position], wraps[position]);
    }
}
