package io.slotwise.core.cluster;

import java.util.Collection;
import java.util.List;

/** The nodes by name, and their occupations at one moment. Occupations of unknown nodes are ignored. */
public record Cluster(Inventory inventory, List<Occupation> occupations) {
    public Cluster {
        occupations = List.copyOf(occupations);
    }

    public Cluster(Collection<Node> nodes, List<Occupation> occupations) {
        this(Inventory.of(nodes), occupations);
    }

    /** Returns whether no node has a price. O(nodes). */
    public boolean isFree() {
        return inventory.stream()
                .allMatch(node -> node.price().isConstant() && node.price().value(0) == 0);
    }
}
