package io.slotwise.cli.study;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.lab.simulation.planned.NodePrices;
import io.slotwise.lab.simulation.planned.ProcessorNodes;
import io.slotwise.random.SeededRandom;
import java.util.List;
import java.util.function.Predicate;

/** The machine of a simulation. */
sealed interface SimulatedMachine {
    int WHOLE = 100;

    String words();

    List<Node> nodes(long seed);

    default List<NodeOffer> offers() {
        return List.of();
    }

    /** Returns the mean price of a processor, millionths per hour, which schedulers that ignore prices pay. */
    default long meanPrice(long seed) {
        return new NodePrices(nodes(seed)).perCore();
    }

    /** Whole processors. Disciplines pay the mean, or take the cheapest free ones with {@code cheapestFirst}. */
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

    /**
     * A machine in which some nodes have another price and an owner of their own. The users' draws still depend on the
     * market's prices.
     *
     * @param percent the percentage of each node's market price
     */
    record Repriced(SimulatedMachine machine, Predicate<Node> pool, int percent) implements SimulatedMachine {
        /** The owner of the repriced nodes; no label value can have a blank. */
        static final String OWNER = "the pool";

        @Override
        public String words() {
            return machine.words();
        }

        @Override
        public List<Node> nodes(long seed) {
            return machine.nodes(seed).stream()
                    .map(node -> pool.test(node) ? repriced(node) : node)
                    .toList();
        }

        private Node repriced(Node node) {
            return node.withOwner(OWNER)
                    .at(node.price().map(price -> Math.multiplyExact(price, (long) percent) / WHOLE));
        }

        @Override
        public long meanPrice(long seed) {
            return machine.meanPrice(seed);
        }
    }

    record Listed(List<Node> nodes, List<NodeOffer> offers) implements SimulatedMachine {
        public Listed {
            nodes = List.copyOf(nodes);
            offers = List.copyOf(offers);
        }

        @Override
        public String words() {
            return offers.isEmpty()
                    ? "%d nodes".formatted(nodes.size())
                    : "%d nodes, %d offers".formatted(nodes.size(), offers.size());
        }

        @Override
        public List<Node> nodes(long seed) {
            return nodes;
        }
    }
}
