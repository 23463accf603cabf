package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * For each node a second before which no pod of a given size can start that runs for at least a given time. A search
 * can leave out nodes on which nothing can start in time, without scanning their free capacity.
 *
 * <p>A node's second is recomputed if its free capacity has changed since the last request, so it is always up to date.
 * If room was only taken since, the computation starts at the previous second. O(N b) for N nodes of b breakpoints at
 * first, then O(c b) for c changes. Thread-safe as long as no caller changes the free capacity.
 */
final class EarliestOpenings {
    private final Pods pods;
    private final long turnover;
    private final long[] durations;
    private final long[] first;
    private final int[] versions;
    private final int[] returns;
    private long seen;

    /** The layout of the last node, for which the positions of the requested resources are known. */
    private @Nullable Resources totalResources;

    private int @Nullable [] resources;

    /**
     * Pods with this request and this runtime in seconds. The runtime is that on the reference node, or on every node
     * if {@code everywhereAlike}.
     */
    record Pods(Resources request, long runtime, boolean everywhereAlike) {
        /** Rounds the runtime down, in two steps a doubling, so that pods of similar runtimes share results. */
        static Pods of(Resources request, long runtime, boolean everywhereAlike) {
            long top = Long.highestOneBit(runtime);
            long step = Math.max(1, top / 2);
            return new Pods(request, top + (runtime - top) / step * step, everywhereAlike);
        }

        private long durationOn(Node node) {
            return everywhereAlike ? runtime : node.performance().duration(runtime);
        }
    }

    EarliestOpenings(Pods pods, Inventory inventory, long turnover) {
        this.pods = pods;
        this.turnover = turnover;
        List<Node> kinds = inventory.kinds();
        this.durations = new long[kinds.size()];
        Arrays.setAll(durations, kind -> pods.durationOn(kinds.get(kind)));
        this.first = new long[inventory.size()];
        this.versions = new int[first.length];
        this.returns = new int[first.length];
        this.seen = -1;
    }

    /** Returns the first starts by node, valid until the free capacity changes. {@link Long#MAX_VALUE}: never. */
    synchronized long[] firstStarts(
            Inventory inventory, List<NodeTimeline> nodes, TimelineJournal journal, long origin) {
        long count = journal.count();
        if (seen < 0 || !journal.knows(seen)) {
            for (int i = 0; i < first.length; i++) {
                look(inventory, nodes.get(i), i, origin);
            }
        } else {
            for (long change = seen; change < count; change++) {
                int i = journal.position(change);
                // Room taken outside the time of a pod that starts first does not prevent that start.
                if (journal.concerns(change, first[i], end(first[i], inventory.kind(i)))
                        && nodes.get(i).version() != versions[i]) {
                    look(inventory, nodes.get(i), i, origin);
                }
            }
        }
        seen = count;
        return first;
    }

    /** Returns the end of the turnover after a pod that starts at a second. */
    private long end(long start, int kind) {
        return start == Long.MAX_VALUE ? start : start + durations[kind] + turnover;
    }

    @SuppressWarnings("ReferenceEquality") // Nodes share their layouts.
    private void look(Inventory inventory, NodeTimeline node, int i, long origin) {
        if (totalResources != node.layout()) {
            totalResources = node.layout();
            resources = node.indices(pods.request());
        }
        long from = seen >= 0 && returns[i] == node.returns() ? first[i] : origin;
        versions[i] = node.version();
        returns[i] = node.returns();
        first[i] = from == Long.MAX_VALUE
                ? from
                : node.firstStart(pods.request(), resources, durations[inventory.kind(i)], from);
    }
}
