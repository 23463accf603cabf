package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A cluster's free capacity as it would be if some room were given back; the timeline itself is not changed. Scratch of
 * one search, not safe for threads while it is made. O(breakpoints) for each node that is given room back.
 */
public final class RestoredCapacity {
    /** Nothing is given back; it stays so. */
    public static final RestoredCapacity NONE = new RestoredCapacity(Map.of());

    private final Map<NodeTimeline, NodeTimeline> changed;

    private RestoredCapacity(Map<NodeTimeline, NodeTimeline> changed) {
        this.changed = changed;
    }

    public RestoredCapacity() {
        this(new IdentityHashMap<>());
    }

    /** Gives room back, as {@link Timeline#vacate} would; a node that is not there is passed over. */
    public void vacate(Timeline timeline, String node, Resources resources, Interval interval) {
        NodeTimeline nodeTimeline = timeline.node(node);
        if (nodeTimeline != null) {
            changed.computeIfAbsent(nodeTimeline, NodeTimeline::copy).vacate(resources, interval);
        }
    }

    /** Takes room instead, as {@link Timeline#occupy} would. */
    public void occupy(Timeline timeline, String node, Resources resources, Interval interval) {
        NodeTimeline nodeTimeline = timeline.node(node);
        if (nodeTimeline != null) {
            changed.computeIfAbsent(nodeTimeline, NodeTimeline::copy).occupy(resources, interval);
        }
    }

    public boolean isEmpty() {
        return changed.isEmpty();
    }

    /** The nodes on which it sees something else. */
    public Collection<NodeTimeline> nodes() {
        return Collections.unmodifiableSet(changed.keySet());
    }

    /** What a search sees of this node. */
    public NodeTimeline of(NodeTimeline node) {
        return Objects.requireNonNullElse(changed.get(node), node);
    }
}
