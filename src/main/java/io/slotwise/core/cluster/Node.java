package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.List;
import java.util.Map;

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
 */
public record Node(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        boolean schedulable,
        Resources allocatable,
        Performance performance,
        String owner,
        StepFunction price,
        List<Interval> unavailable) {
    public Node {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        unavailable = List.copyOf(unavailable);
    }
}
