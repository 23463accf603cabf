package io.slotwise.core.slot;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;

/**
 * What one node means for one request.
 *
 * @param duration seconds that a pod takes here and pays for
 * @param rate what a pod pays, millionths per hour, over time
 * @param power what a pod draws, milliwatts; {@link io.slotwise.core.cluster.Node#UNKNOWN}: the node does not say
 * @param most the most pods of one window on this node, no more than a window of any gang has that this is for
 */
public record Offer(NodeTimeline timeline, Resources request, long duration, StepFunction rate, long power, int most) {
    /** The same for a pod that takes {@code seconds}. */
    public Offer lasting(long seconds) {
        return new Offer(timeline, request, seconds, rate, power, most);
    }

    /** The same on another picture of the node's free capacity. */
    public Offer on(NodeTimeline other) {
        return new Offer(other, request, duration, rate, power, most);
    }

    /** The same for at most {@code pods} pods of a window. */
    public Offer atMost(int pods) {
        return new Offer(timeline, request, duration, rate, power, pods);
    }

    public String node() {
        return timeline.node().name();
    }

    /** Whether a pod costs the same at every start from {@code earliest} to {@code latest}. */
    public boolean isFlat(long earliest, long latest) {
        return rate.isConstant() || rate.pieceAt(earliest) == rate.pieceAt(latest + duration - 1);
    }

    /** What a pod draws from its start to its end, milliwatt-seconds. */
    public long energy() {
        return power * duration;
    }

    /** A figure that a pod has here whenever it starts: its duration or what it draws. */
    public long figure(Figure figure) {
        return switch (figure) {
            case NOTHING -> 0;
            case DURATION -> duration;
            case COST -> throw new IllegalArgumentException("What a pod costs depends on its start.");
            case ENERGY -> energy();
        };
    }

    /** What a pod costs that starts at second {@code start}. */
    public Cost cost(long start) {
        return Cost.of(rate, start, start + duration);
    }
}
