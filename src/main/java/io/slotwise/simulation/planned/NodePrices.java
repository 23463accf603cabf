package io.slotwise.simulation.planned;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.resource.Resources;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What nodes cost when nothing has changed yet: the prices on the first piece of their calendars.
 *
 * @param nodes any
 */
public record NodePrices(List<Node> nodes) {
    private static final long MILLI = 1000;

    public NodePrices {
        nodes = List.copyOf(nodes);
    }

    /** The price of each core, millionths per hour: that of its node in equal parts, rounded down. */
    public long[] ofCores() {
        return nodes.stream()
                .flatMapToLong(node -> {
                    long cores = node.allocatable().get(Resources.CPU) / MILLI;
                    return LongStream.generate(() -> node.price().value(0) / cores)
                            .limit(cores);
                })
                .toArray();
    }

    /** The mean price of a core, millionths per hour, rounded down; 0 if there is none. */
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
