package io.slotwise.core.cluster;

import java.util.Collection;
import java.util.List;

/**
 * The nodes and what is known to run on them, an immutable picture of one moment.
 *
 * @param nodes by name
 * @param occupations of these nodes, in any order; those of unknown nodes are ignored
 */
public record Cluster(Inventory nodes, List<Occupation> occupations) {
    public Cluster {
        occupations = List.copyOf(occupations);
    }

    /**
     * The cluster of these nodes.
     *
     * @throws IllegalArgumentException if two have the same name
     */
    public Cluster(Collection<Node> nodes, List<Occupation> occupations) {
        this(Inventory.of(nodes), occupations);
    }

    /** Whether no node has a price. O(nodes). */
    public boolean isFree() {
        return nodes.stream()
                .allMatch(node -> node.price().isConstant() && node.price().value(0) == 0);
    }
}
