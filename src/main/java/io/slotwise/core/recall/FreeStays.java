package io.slotwise.core.recall;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.resource.Resources;
import java.util.BitSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * From when until when each node has room for a pod of one size, turnover included. A node is looked at once it is
 * asked for, O(breakpoints), and again once it has changed. What two threads find at once is the same; each sees all of
 * it or nothing. Safe for threads as long as no caller changes the free capacity.
 */
final class FreeStays {
    private final Timeline timeline;
    private final Resources request;

    /** Of each node, once it was asked. */
    private final @Nullable Stays[] stays;

    /** Seconds in a row with room: the first ones and the first ones behind them, in turn. It never changes. */
    private static final class Stays {
        private final long[] bounds;

        Stays(long[] bounds) {
            this.bounds = bounds;
        }
    }

    /** Of pods that ask for this. */
    FreeStays(Timeline timeline, Resources request) {
        this.timeline = timeline;
        this.request = request;
        this.stays = new Stays[timeline.nodes().size()];
    }

    /** These nodes are looked at again. */
    void forget(BitSet nodes) {
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            stays[node] = null;
        }
    }

    /** Whether a pod has room on a node from one of these seconds on until it ends. */
    boolean takes(int node, long first, long last, Instants.View view) {
        long latest = Math.min(last, view.latestStart(node));
        if (first > latest) {
            return false;
        }
        if (view.own().on(node) > 0) {
            return view.takesOwn(node, first, latest);
        }
        return isFree(node, view.length(node), first, latest);
    }

    /** Whether there is room for a pod for so many seconds from one of these seconds on. */
    boolean isFree(int node, long length, long first, long last) {
        long[] here = of(node).bounds;
        for (int i = 0; i < here.length; i += 2) {
            long since = Math.max(first, here[i]);
            if (since > last) {
                return false;
            }
            if (here[i + 1] - length >= since) {
                return true;
            }
        }
        return false;
    }

    private Stays of(int node) {
        Stays known = stays[node];
        if (known == null) {
            LongStream.Builder told = LongStream.builder();
            timeline.nodes()
                    .get(node)
                    .tellRoom(
                            request,
                            Long.MIN_VALUE,
                            Long.MAX_VALUE,
                            (since, until) -> told.add(since).add(until));
            known = new Stays(told.build().toArray());
            stays[node] = known;
        }
        return known;
    }
}
