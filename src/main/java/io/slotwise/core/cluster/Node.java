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
 * @param labels for selectors, affinity and topology
 * @param taints of the node
 * @param schedulable false if it is cordoned or not ready: nothing new is planned on it
 * @param allocatable what pods may use
 * @param performance its speed
 * @param owner who earns its income
 * @param price of the whole node, millionths of the currency unit per hour, over time
 * @param unavailable intervals that the owner keeps for itself
 * @param power drawn at full load, milliwatts; {@link #UNKNOWN}: the owner does not say
 * @param bandwidth into the node's domain, bit/s; {@link #UNKNOWN}: the owner does not say
 * @param unreadable the resources of which it has an amount that cannot be read, and that count as none; {@link #ALL}:
 *     more than amounts
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
    /** Stands for everything that can be said of a node: nothing is planned on one whose price cannot be read. */
    public static final String ALL = "*";

    /** A figure that the node's owner does not give. */
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

    /** A node that can be read, whose power and bandwidth are not known. */
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

    /** This node if its owner never kept it. */
    public Node alwaysAvailable() {
        return unavailable.isEmpty() ? this : withUnavailable(List.of());
    }

    /** This node where pods may use these, too. */
    Node offering(Resources resources) {
        return withAllocatable(allocatable.plus(resources));
    }

    public Node at(StepFunction other) {
        return withPrice(other);
    }
}
