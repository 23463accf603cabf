package io.slotwise.core.recall;

import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** Seconds in which windows may start that were not there before, in stretches. Used by one thread. */
final class OpenSeconds {
    private final List<Interval> stretches = new ArrayList<>();

    /** The nodes of which at least one takes a pod of any such window. */
    private final BitSet nodes = new BitSet();

    /** Whether there may be such windows without one of these nodes. */
    private boolean anywhere;

    /** Windows that start from one second to another may be new wherever they are. */
    void addAnywhere(long from, long to) {
        anywhere |= from <= to;
        add(from, to);
    }

    /** The same of those with a pod on a node. */
    void addOn(int node, long from, long to) {
        if (from <= to) {
            nodes.set(node);
        }
        add(from, to);
    }

    private void add(long from, long to) {
        if (from <= to) {
            stretches.add(new Interval(from, to + 1));
        }
    }

    /** Whether there are none. */
    boolean isEmpty() {
        return stretches.isEmpty();
    }

    /** The nodes of which every window has one that may be new, unless they may be so anywhere; not to be changed. */
    BitSet nodes() {
        return nodes;
    }

    /** Whether windows without one of {@link #nodes} may be new. */
    boolean areAnywhere() {
        return anywhere;
    }

    /** Whether windows on these nodes may be new. */
    boolean matterTo(BitSet others) {
        return anywhere || nodes.intersects(others);
    }

    /** In order, those that meet as one. */
    List<Interval> merged() {
        stretches.sort(Comparator.comparingLong(Interval::start));
        List<Interval> merged = new ArrayList<>();
        for (Interval next : stretches) {
            Interval last = merged.isEmpty() ? null : merged.getLast();
            if (last == null || last.end() < next.start()) {
                merged.add(next);
            } else {
                merged.set(merged.size() - 1, new Interval(last.start(), Math.max(last.end(), next.end())));
            }
        }
        return merged;
    }
}
