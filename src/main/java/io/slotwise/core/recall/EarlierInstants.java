package io.slotwise.core.recall;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.resource.Resources;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the cycle before knew of instants, on the nodes on which as much is free as at its end. Safe for threads as long
 * as no caller changes the free capacity.
 */
final class EarlierInstants {
    private final Timeline timeline;
    private final long now;

    /** What is known; nothing once too much has changed. */
    private volatile Instants.Kept kept;

    /** Of each node its position then, if as much is free as then; negative: it is not known. */
    private volatile int @Nullable [] positions;

    /** The nodes that are not as they were then, as far as was told. */
    private final BitSet changed = new BitSet();

    /** So many changes there had been when that was told. */
    private long told;

    /** Nothing is asked about seconds before {@code now}. */
    EarlierInstants(Timeline timeline, long now, Instants.Kept kept) {
        this.timeline = timeline;
        this.now = now;
        this.kept = kept;
    }

    /** What is known still, as it was then. */
    Instants.Kept kept() {
        return kept;
    }

    /** For how many pods of this request there was room, by the second, by the position of the node then. */
    Map<Long, byte[]> units(Resources request) {
        return kept.units().getOrDefault(request, Map.of());
    }

    /** Takes note of what has changed since, before too many changes have been to know them all. */
    void settle() {
        if (positions != null) {
            changedSince();
        }
    }

    /**
     * The nodes that must be looked at anew since then, not to be changed; null: all. Where nodes have come and gone
     * the others are told by their names, in whose order they are.
     */
    synchronized @Nullable BitSet changedSince() {
        int[] same = positions;
        if (same == null) {
            same = samePositions(kept.nodes());
            positions = same;
            told = timeline.changes();
            for (int i = 0; i < same.length; i++) {
                changed.set(i, same[i] < 0);
            }
        }
        if (timeline.changed(told) < 0 && told < timeline.changes()) {
            kept = Instants.Kept.NOTHING;
            return null;
        }
        for (; told < timeline.changes(); told++) {
            changed.set(timeline.changed(told));
        }
        return changed;
    }

    private int[] samePositions(List<NodeTimeline> then) {
        int[] same = new int[timeline.nodes().size()];
        int other = 0;
        for (int i = 0; i < same.length; i++) {
            NodeTimeline node = timeline.nodes().get(i);
            String name = node.node().name();
            while (other < then.size() && then.get(other).node().name().compareTo(name) < 0) {
                other++;
            }
            NodeTimeline known = other < then.size() ? then.get(other) : null;
            boolean is = known != null && known.node().name().equals(name) && node.isAsFreeAs(known, now);
            same[i] = is ? other : -1;
        }
        return same;
    }

    /**
     * As many units as then, by the positions of today, once the nodes were asked that have changed; of those whose
     * position then is not known none.
     */
    byte[] moved(byte[] units) {
        int[] same = Objects.requireNonNull(positions);
        byte[] now = new byte[same.length];
        for (int i = 0; i < now.length; i++) {
            now[i] = same[i] < 0 ? 0 : units[same[i]];
        }
        return now;
    }
}
