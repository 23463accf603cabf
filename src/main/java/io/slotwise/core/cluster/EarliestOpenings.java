package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * For each node the first second from which on it has room for one pod of a size and of at least so many seconds: no
 * such pod starts there sooner. It lets a search leave out the nodes on which nothing can start as soon as it must,
 * without a look at their free capacity.
 *
 * <p>A second is looked up anew where the node's free capacity has changed since it was asked for last, so it is always
 * that of now; where room was only taken since, from the second on that it was before. O(N b) for N nodes of b
 * breakpoints when asked for first, then O(c b) for c changes since. Safe for threads as long as no caller changes the
 * free capacity.
 */
final class EarliestOpenings {
    private final Pods pods;
    private final long turnover;
    private final long[] durations;
    private final long[] first;
    private final int[] versions;
    private final int[] returns;
    private long seen;

    /** Where the nodes of the layout that was looked at last have what is asked for. */
    private @Nullable Resources totalResources;

    private int @Nullable [] resources;

    /** Pods that ask for this and take so many seconds on the reference node, or on every node. */
    record Pods(Resources request, long runtime, boolean everywhereAlike) {
        /** Pods of nearly the same runtime share what is known, at no more seconds. Four steps a doubling. */
        static Pods of(Resources request, long runtime, boolean everywhereAlike) {
            long top = Long.highestOneBit(runtime);
            long step = Math.max(1, top / 4);
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

    /** The first starts by node, valid until the free capacity changes; {@link Long#MAX_VALUE}: never. */
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
                // What is taken at other seconds than those of a pod that starts first does not keep it from there.
                if (journal.concerns(change, first[i], end(first[i], inventory.kind(i)))
                        && nodes.get(i).version() != versions[i]) {
                    look(inventory, nodes.get(i), i, origin);
                }
            }
        }
        seen = count;
        return first;
    }

    /** The end of the turnover of a pod that starts at a second. */
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
