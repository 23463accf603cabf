package io.slotwise.core.slot;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.money.Cost;
import io.slotwise.core.time.StepFunction;

/**
 * What one node means for one request.
 *
 * @param timeline the node's free capacity
 * @param duration seconds that a pod takes here and pays for
 * @param rate what a pod pays, millionths per hour, over time
 * @param most the most pods of one window on this node
 */
public record Offer(NodeTimeline timeline, long duration, StepFunction rate, int most) {
    /** The node's name. */
    public String node() {
        return timeline.node().name();
    }

    /** What a pod costs that starts at second {@code start}. */
    public Cost cost(long start) {
        return new Cost(rate.sum(start, start + duration));
    }
}
