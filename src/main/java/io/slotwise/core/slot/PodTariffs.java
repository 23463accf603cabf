package io.slotwise.core.slot;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The charges and the power of pods of every size on the nodes of a cluster, the nodes excluded by each constraint, and
 * the domains of each topology level. Running pods do not matter: each is computed once and cached as long as the nodes
 * stay the same. The least recently used entries are dropped if there are very many. Thread-safe.
 */
public final class PodTariffs {
    /** The number of cached figures of nodes for sizes, and as many for constraints. */
    private static final int MOST_FIGURES = 1 << 20;

    private static final int FEWEST = 16;

    private final Inventory inventory;
    private final boolean wholeNode;
    private final int most;
    private final Map<Resources, PodTariff> sizes = new LinkedHashMap<>(FEWEST, 0.75f, true);
    private final Map<NodeConstraint, @Nullable Exclusion[]> exclusions = new LinkedHashMap<>(FEWEST, 0.75f, true);
    private final Map<TopologyLevel, Domains> domains = new LinkedHashMap<>(FEWEST, 0.75f, true);

    /** The tariffs of all nodes. {@code wholeNode}: a pod pays for its whole node, not its dominant share. */
    public PodTariffs(Inventory inventory, boolean wholeNode) {
        this.inventory = inventory;
        this.wholeNode = wholeNode;
        this.most = Math.max(FEWEST, MOST_FIGURES / Math.max(1, inventory.size()));
    }

    public Inventory nodes() {
        return inventory;
    }

    /** Returns the cost of a pod of this size on the node at this position, which holds it. */
    public Cost cost(Resources request, int node, long start, long duration) {
        return Cost.of(of(request).rate(node), start, start + duration);
    }

    synchronized PodTariff of(Resources request) {
        return known(sizes, request, resources -> new PodTariff(resources, inventory, wholeNode));
    }

    /** Returns for each node, by index, why it is left out for this constraint, or null if it is not; read-only. */
    synchronized @Nullable Exclusion[] exclusions(NodeConstraint constraint) {
        return known(
                exclusions,
                constraint,
                nodeConstraint ->
                        inventory.stream().map(nodeConstraint::exclusion).toArray(Exclusion[]::new));
    }

    /** Returns the domains of a level. */
    synchronized Domains domains(TopologyLevel level) {
        return known(domains, level, topologyLevel -> new Domains(inventory, topologyLevel));
    }

    private <K, V> V known(Map<K, V> all, K key, Function<K, V> made) {
        V value = all.computeIfAbsent(key, made);
        if (all.size() > most) {
            all.remove(all.keySet().iterator().next());
        }
        return value;
    }
}
