package io.slotwise.core.window.sweep;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.window.CompanionRules;
import org.jspecify.annotations.Nullable;

/** The room that a node has free throughout the time of a pod, for pods of several shapes. */
final class NodeRoom {
    private final Node node;
    private final Resources allocatable;
    private final long[] free;
    private final Resources[] requests;
    private final int maxPerNode;
    private final @Nullable CompanionRules rules;

    /** The room for pods with these requests, by shape, that start at second {@code t}. */
    NodeRoom(SlotSearch search, Offer offer, long t, Resources[] requests) {
        NodeTimeline timeline = offer.timeline();
        this.node = timeline.node();
        this.allocatable = node.allocatable();
        this.free = timeline.leastFree(t, t + offer.duration() + timeline.turnover());
        this.requests = requests;
        this.maxPerNode = search.maxPerNode();
        this.rules = search.company();
    }

    Node node() {
        return node;
    }

    private boolean isAllowed(int[] counts, int shape, int count) {
        if (rules == null) {
            return true;
        }
        int[] together = counts.clone();
        together[shape] = count;
        return rules.allowsOn(node, together);
    }

    /** Returns whether {@code count} pods of a shape fit next to the others. */
    boolean fits(int[] counts, int shape, int count) {
        int all = count;
        for (int j = 0; j < counts.length; j++) {
            all += j == shape ? 0 : counts[j];
        }
        if (all > maxPerNode || !isAllowed(counts, shape, count)) {
            return false;
        }
        for (int r = 0; r < free.length; r++) {
            long left = Math.max(free[r], 0);
            for (int j = 0; j < counts.length; j++) {
                long each = requests[j].get(allocatable.name(r));
                int pods = j == shape ? count : counts[j];
                if (each > 0 && pods > left / each) {
                    return false;
                }
                left -= pods * each;
            }
        }
        return true;
    }
}
