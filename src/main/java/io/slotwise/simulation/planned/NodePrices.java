package io.slotwise.simulation.planned;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.util.Collections;
import java.util.List;

/**
 * What nodes cost before a disturbance changes it.
 *
 * @param nodes any
 */
public record NodePrices(List<Node> nodes) {
    private static final long MILLI = 1000;

    public NodePrices {
        nodes = List.copyOf(nodes);
    }

    /** The price of each core over time, millionths per hour: that of its node in equal parts, rounded down. */
    public List<StepFunction> ofCores() {
        return nodes.stream()
                .flatMap(node -> {
                    int cores = Math.toIntExact(node.allocatable().get(Resources.CPU) / MILLI);
                    StepFunction each = node.price().map(price -> price / cores);
                    return Collections.nCopies(cores, each).stream();
                })
                .toList();
    }

    /** The mean price of a core over time, millionths per hour, rounded down; at least one node. */
    public StepFunction mean() {
        long milliCores = nodes.stream()
                .mapToLong(node -> node.allocatable().get(Resources.CPU))
                .sum();
        return StepFunction.sum(nodes.stream().map(Node::price).toList())
                .map(price -> Math.multiplyExact(price, MILLI) / milliCores);
    }

    /**
     * The mean price of a core before any calendar changes it, millionths per hour, rounded down; 0 if there is none.
     */
    public long perCore() {
        long price = 0;
        long milliCores = 0;
        for (Node node : nodes) {
            price = Math.addExact(price, node.price().value(0));
            milliCores += node.allocatable().get(Resources.CPU);
        }
        return milliCores == 0 ? 0 : Math.multiplyExact(price, MILLI) / milliCores;
    }
}
