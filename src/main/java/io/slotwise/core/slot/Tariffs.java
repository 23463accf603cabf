package io.slotwise.core.slot;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.resource.Resources;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What pods of every size pay and draw on the nodes of a cluster, and which nodes they are kept from; each size and each
 * constraint is worked out once. Safe for threads.
 */
public final class Tariffs {
    private final Timeline timeline;
    private final boolean wholeNode;
    private final Map<Resources, Tariff> known = new HashMap<>();
    private final Map<NodeConstraint, @Nullable Exclusion[]> exclusions = new HashMap<>();

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

    /** Why each node, by index, is left out for pods with this constraint; null: it is not. Not to be changed. */
    synchronized @Nullable Exclusion[] exclusions(NodeConstraint constraint) {
        return exclusions.computeIfAbsent(
                constraint,
                pods -> timeline.nodes().stream()
                        .map(node -> pods.exclusion(node.node()))
                        .toArray(Exclusion[]::new));
    }
}
