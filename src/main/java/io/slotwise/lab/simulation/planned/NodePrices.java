package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.util.Collections;
import java.util.List;

/** What nodes cost before a disturbance changes it. */
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
                    StepFunction function = node.price().map(price -> price / cores);
                    return Collections.nCopies(cores, function).stream();
                })
                .toList();
    }

    /** The mean price of a core over time, millionths per hour, rounded down; at least one node. */
    public StepFunction mean() {
        return StepFunction.sum(nodes.stream().map(Node::price).toList()).map(this::perCore);
    }

    /** The same before any calendar changes it; 0 if there is no node. */
    public long perCore() {
        return nodes.isEmpty()
                ? 0
                : perCore(
                        nodes.stream().mapToLong(node -> node.price().value(0)).reduce(0, Math::addExact));
    }

    /** What one core costs where all nodes together cost {@code price}. */
    private long perCore(long price) {
        long milliCores = nodes.stream()
                .mapToLong(node -> node.allocatable().get(Resources.CPU))
                .sum();
        return milliCores == 0 ? 0 : Math.multiplyExact(price, MILLI) / milliCores;
    }
}
