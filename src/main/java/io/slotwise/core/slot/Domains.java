package io.slotwise.core.slot;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.gang.TopologyLevel;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The nodes of each domain of a topology level. O(nodes) to create, for each query O(offers). */
final class Domains {
    /** The index of each node's domain by name, or -1 for a node in no domain. */
    private final int[] domainOf;

    private final int size;

    Domains(Inventory inventory, TopologyLevel level) {
        List<String> names = inventory.stream()
                .flatMap(node -> Stream.ofNullable(level.domain(node)))
                .distinct()
                .sorted()
                .toList();
        this.size = names.size();
        this.domainOf = inventory.stream()
                .map(level::domain)
                .mapToInt(name -> name == null ? -1 : Collections.binarySearch(names, name))
                .toArray();
    }

    /**
     * Returns the positions of the offers in each domain, in the order of the domains' names; each ascending.
     *
     * @param nodes the positions of the offers' nodes, or null for all nodes
     */
    int[][] positions(int @Nullable [] nodes) {
        int count = nodes == null ? domainOf.length : nodes.length;
        int[] sizes = new int[size];
        for (int i = 0; i < count; i++) {
            int domain = domainOf[nodes == null ? i : nodes[i]];
            if (domain >= 0) {
                sizes[domain]++;
            }
        }
        int[][] positions = new int[size][];
        Arrays.setAll(positions, domain -> new int[sizes[domain]]);
        for (int i = count - 1; i >= 0; i--) {
            int domain = domainOf[nodes == null ? i : nodes[i]];
            if (domain >= 0) {
                positions[domain][--sizes[domain]] = i;
            }
        }
        return positions;
    }
}
