package io.slotwise.core.recall;

import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.List;

/** Seconds in which windows may start that were not there before, in stretches. Used by one thread. */
final class OpenSeconds {
    /** In order; no two of them meet. */
    private final List<Interval> stretches = new ArrayList<>();

    /** At least one of them takes a pod of any such window. */
    private final NewStarts starts = new NewStarts();

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
            starts.add(node, from, to);
        }
        add(from, to);
    }

    private void add(long from, long to) {
        if (from > to) {
            return;
        }
        int i = 0;
        while (i < stretches.size() && stretches.get(i).end() < from) {
            i++;
        }
        Interval whole = new Interval(from, to + 1);
        while (i < stretches.size() && stretches.get(i).start() <= whole.end()) {
            Interval other = stretches.remove(i);
            whole = new Interval(Math.min(whole.start(), other.start()), Math.max(whole.end(), other.end()));
        }
        stretches.add(i, whole);
    }

    /** Whether there are none. */
    boolean isEmpty() {
        return stretches.isEmpty();
    }

    /** What every window has one of that may be new, unless they may be so anywhere. */
    NewStarts starts() {
        return starts;
    }

    /** Whether windows without one of {@link #starts} may be new. */
    boolean areAnywhere() {
        return anywhere;
    }

    /** In order, those that meet as one. */
    List<Interval> merged() {
        return List.copyOf(stretches);
    }
}
