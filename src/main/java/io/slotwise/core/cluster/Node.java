package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A node as the planner sees it.
 *
 * @param name unique in the cluster
 * @param schedulable false if it is cordoned or not ready: nothing new is planned on it
 * @param owner the party that earns its income
 * @param price the price of the whole node, millionths of the currency unit per hour, over time
 * @param unavailable intervals that the owner keeps for itself
 * @param power drawn at full load, milliwatts, or {@link #UNKNOWN}
 * @param bandwidth into the node's domain, bit/s, or {@link #UNKNOWN}
 * @param unreadable the resources whose amounts cannot be read, and that count as none, or {@link #ALL} for more than
 *     amounts
 */
@RecordBuilder
public record Node(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        boolean schedulable,
        Resources allocatable,
        Performance performance,
        String owner,
        StepFunction price,
        List<Interval> unavailable,
        long power,
        long bandwidth,
        Set<String> unreadable)
        implements NodeBuilder.With {
    /** Stands for all properties of a node: nothing is planned on a node whose price cannot be read. */
    public static final String ALL = "*";

    /** A figure that the node's owner does not state. */
    public static final long UNKNOWN = -1;

    public Node {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        unavailable = List.copyOf(unavailable);
        unreadable = Set.copyOf(unreadable);
        if (power < UNKNOWN || bandwidth == 0 || bandwidth < UNKNOWN) {
            throw new IllegalArgumentException(
                    "The power (%d mW) of node (%s) must not be negative and its bandwidth (%d bit/s) must be positive."
                            .formatted(power, name, bandwidth));
        }
    }

    /** A readable node with unknown power and bandwidth. */
    public Node(
            String name,
            Map<String, String> labels,
            List<Taint> taints,
            boolean schedulable,
            Resources allocatable,
            Performance performance,
            String owner,
            StepFunction price,
            List<Interval> unavailable) {
        this(
                name,
                labels,
                taints,
                schedulable,
                allocatable,
                performance,
                owner,
                price,
                unavailable,
                UNKNOWN,
                UNKNOWN,
                Set.of());
    }

    /** Returns this node without intervals that its owner keeps. */
    public Node alwaysAvailable() {
        return unavailable.isEmpty() ? this : withUnavailable(List.of());
    }

    Node offering(Resources resources) {
        return withAllocatable(allocatable.plus(resources));
    }

    public Node at(StepFunction other) {
        return withPrice(other);
    }
}
