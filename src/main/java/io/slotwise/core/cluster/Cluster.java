package io.slotwise.core.cluster;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The nodes and what is known to run on them, an immutable picture of one moment.
 *
 * @param nodes sorted by name; names are unique
 * @param occupations of these nodes, in any order; those of unknown nodes are ignored
 */
public record Cluster(List<Node> nodes, List<Occupation> occupations) {
    public Cluster {
        nodes = nodes.stream().sorted(Comparator.comparing(Node::name)).toList();
        occupations = List.copyOf(occupations);
        Set<String> names = new HashSet<>();
        for (Node node : nodes) {
            if (!names.add(node.name())) {
                throw new IllegalArgumentException("The node (%s) must not be there twice.".formatted(node.name()));
            }
        }
    }
}
