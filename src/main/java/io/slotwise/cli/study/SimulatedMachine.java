package io.slotwise.cli.study;

import io.slotwise.core.cluster.Node;
import io.slotwise.random.SeededRandom;
import io.slotwise.simulation.planned.NodePrices;
import io.slotwise.simulation.planned.ProcessorNodes;
import java.util.List;

/** What a workload runs on. */
sealed interface SimulatedMachine {
    /** In words. */
    String words();

    /** The nodes of a replication. */
    List<Node> nodes(long seed);

    /** The mean price of a processor, millionths per hour: what who takes processors blindly pays. */
    default long meanPrice(long seed) {
        return new NodePrices(nodes(seed)).perCore();
    }

    /**
     * Whole processors; for planners they are nodes.
     *
     * @param cheapestFirst whether the disciplines, too, know what each processor costs and take the cheapest free
     *     ones; else they pay the mean price
     */
    record Whole(ProcessorNodes processors, boolean cheapestFirst) implements SimulatedMachine {
        @Override
        public String words() {
            return "%d processors".formatted(processors.processors());
        }

        @Override
        public List<Node> nodes(long seed) {
            return processors.nodes(SeededRandom.L64X128.seeded(seed));
        }
    }

    /** Nodes of a file. */
    record Listed(List<Node> nodes) implements SimulatedMachine {
        public Listed {
            nodes = List.copyOf(nodes);
        }

        @Override
        public String words() {
            return "%d nodes".formatted(nodes.size());
        }

        @Override
        public List<Node> nodes(long seed) {
            return nodes;
        }
    }
}
