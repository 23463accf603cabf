package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The free capacity of a cluster as if some room were given up. The timeline itself does not change. Working state of
 * one search, not thread-safe while it is built. O(breakpoints) for each node with restored room.
 */
public final class RestoredCapacity {
    /** Nothing is restored. Unmodifiable. */
    public static final RestoredCapacity NONE = new RestoredCapacity(Map.of());

    private final Map<NodeTimeline, NodeTimeline> changed;

    /** The seconds of the window whose use of queues counts as free, or null. */
    private @Nullable Interval windowInterval;

    private RestoredCapacity(Map<NodeTimeline, NodeTimeline> changed) {
        this.changed = changed;
    }

    public RestoredCapacity() {
        this(new IdentityHashMap<>());
    }

    /** Gives up room like {@link Timeline#vacate}. An unknown node is ignored. */
    public void vacate(Timeline timeline, String node, Resources resources, Interval interval) {
        NodeTimeline nodeTimeline = timeline.node(node);
        if (nodeTimeline != null) {
            changed.computeIfAbsent(nodeTimeline, NodeTimeline::copy).vacate(resources, interval);
        }
    }

    /** Takes room like {@link Timeline#occupy}. */
    public void occupy(Timeline timeline, String node, Resources resources, Interval interval) {
        NodeTimeline nodeTimeline = timeline.node(node);
        if (nodeTimeline != null) {
            changed.computeIfAbsent(nodeTimeline, NodeTimeline::copy).occupy(resources, interval);
        }
    }

    /** Gives up the use of queues by the searching gang's own window. */
    public void vacateQueues(Interval interval) {
        windowInterval = interval;
    }

    /** Returns the seconds in which the searching gang's use of queues counts as free, or null. */
    public @Nullable Interval windowInterval() {
        return windowInterval;
    }

    public boolean isEmpty() {
        return changed.isEmpty();
    }

    /** Returns the nodes whose free capacity differs. */
    public Collection<NodeTimeline> nodes() {
        return Collections.unmodifiableSet(changed.keySet());
    }

    public NodeTimeline of(NodeTimeline node) {
        return Objects.requireNonNullElse(changed.get(node), node);
    }
}
