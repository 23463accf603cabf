package io.slotwise.core.slot;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;

/**
 * The terms of one node for one request.
 *
 * @param duration seconds that a pod takes here and pays for
 * @param rate what a pod pays, millionths per hour, over time
 * @param power what a pod draws, milliwatts, or {@link io.slotwise.core.cluster.Node#UNKNOWN}
 * @param most the most pods of one window on this node, no more than a window of any gang of this kind has
 */
public record Offer(NodeTimeline timeline, Resources request, long duration, StepFunction rate, long power, int most) {
    /** Returns the offer for a pod that takes {@code seconds}. */
    public Offer lasting(long seconds) {
        return new Offer(timeline, request, seconds, rate, power, most);
    }

    /** Returns the offer with another timeline of the node. */
    public Offer on(NodeTimeline other) {
        return new Offer(other, request, duration, rate, power, most);
    }

    /** Returns the offer for at most {@code pods} pods of a window. */
    public Offer atMost(int pods) {
        return new Offer(timeline, request, duration, rate, power, pods);
    }

    public String node() {
        return timeline.node().name();
    }

    /** Returns whether a pod costs the same at every start from {@code earliest} to {@code latest}. */
    public boolean isFlat(long earliest, long latest) {
        return rate.isConstant() || rate.pieceAt(earliest) == rate.pieceAt(latest + duration - 1);
    }

    /** Returns the energy of a pod from its start to its end, milliwatt-seconds. */
    public long energy() {
        return power * duration;
    }

    /** Returns a figure of a pod that does not depend on its start: its duration or its energy. */
    public long figure(Figure figure) {
        return switch (figure) {
            case NOTHING -> 0;
            case DURATION -> duration;
            case COST -> throw new IllegalArgumentException("What a pod costs depends on its start.");
            case ENERGY -> energy();
        };
    }

    /** Returns the cost of a pod that starts at second {@code start}. */
    public Cost cost(long start) {
        return Cost.of(rate, start, start + duration);
    }
}
