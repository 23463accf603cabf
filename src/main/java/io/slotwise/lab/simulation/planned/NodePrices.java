package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.util.Collections;
import java.util.List;

/** The prices of nodes before any disturbance. */
public record NodePrices(List<Node> nodes) {
    private static final long MILLI = 1000;

    public NodePrices {
        nodes = List.copyOf(nodes);
    }

    /** Returns the price of each core over time, millionths per hour: an equal part of its node's, rounded down. */
    public List<StepFunction> ofCores() {
        return nodes.stream()
                .flatMap(node -> {
                    int cores = Math.toIntExact(node.allocatable().get(Resources.CPU) / MILLI);
                    StepFunction function = node.price().map(price -> price / cores);
                    return Collections.nCopies(cores, function).stream();
                })
                .toList();
    }

    /** Returns the mean price of a core over time, millionths per hour, rounded down. Requires a node. */
    public StepFunction mean() {
        return StepFunction.sum(nodes.stream().map(Node::price).toList()).map(this::perCore);
    }

    /** Returns the mean price before any calendar changes it; 0 without nodes. */
    public long perCore() {
        return nodes.isEmpty()
                ? 0
                : perCore(
                        nodes.stream().mapToLong(node -> node.price().value(0)).reduce(0, Math::addExact));
    }

    private long perCore(long price) {
        long milliCores = nodes.stream()
                .mapToLong(node -> node.allocatable().get(Resources.CPU))
                .sum();
        return milliCores == 0 ? 0 : Math.multiplyExact(price, MILLI) / milliCores;
    }
}
