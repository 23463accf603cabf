package io.slotwise.core.slot;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.resource.Resources;
import java.util.HashMap;
import java.util.Map;

/** What pods of every size pay and draw on the nodes of a cluster; each size is worked out once. Safe for threads. */
public final class Tariffs {
    private final Timeline timeline;
    private final boolean wholeNode;
    private final Map<Resources, Tariff> known = new HashMap<>();

    /**
     * The tariffs of a cluster.
     *
     * @param timeline its nodes
     * @param wholeNode whether a pod is charged for its whole node rather than for its dominant share
     */
    public Tariffs(Timeline timeline, boolean wholeNode) {
        this.timeline = timeline;
        this.wholeNode = wholeNode;
    }

    /** The nodes. */
    Timeline timeline() {
        return timeline;
    }

    /** What a pod of this size pays and draws. */
    synchronized Tariff of(Resources request) {
        return known.computeIfAbsent(request, size -> new Tariff(size, timeline.nodes(), wholeNode));
    }
}
