package io.slotwise.core.slot;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What pods of every size pay and draw on the nodes of a cluster, and which nodes they are kept from. It does not
 * depend on what runs: each size and each constraint is worked out once, and known for as long as the nodes stay as
 * they are. The ones not asked for longest are forgotten where there are very many. Safe for threads.
 */
public final class PodTariffs {
    /** So many figures of nodes are kept for sizes, and as many for constraints. */
    private static final int MOST_FIGURES = 1 << 20;

    private static final int FEWEST = 16;

    private final Inventory inventory;
    private final boolean wholeNode;
    private final int most;
    private final Map<Resources, PodTariff> sizes = new LinkedHashMap<>(FEWEST, 0.75f, true);
    private final Map<NodeConstraint, @Nullable Exclusion[]> exclusions = new LinkedHashMap<>(FEWEST, 0.75f, true);

    /** The tariffs of all nodes; {@code wholeNode}: a pod is charged for its whole node, not its dominant share. */
    public PodTariffs(Inventory inventory, boolean wholeNode) {
        this.inventory = inventory;
        this.wholeNode = wholeNode;
        this.most = Math.max(FEWEST, MOST_FIGURES / Math.max(1, inventory.size()));
    }

    public Inventory nodes() {
        return inventory;
    }

    /** What a pod of this size costs on the node at this position, which holds it, from a second on for so many. */
    public Cost cost(Resources request, int node, long start, long duration) {
        return Cost.of(of(request).rate(node), start, start + duration);
    }

    /** What a pod of this size pays and draws. */
    synchronized PodTariff of(Resources request) {
        return known(sizes, request, resources -> new PodTariff(resources, inventory, wholeNode));
    }

    /** Why each node, by index, is left out for pods with this constraint; null: it is not. Not to be changed. */
    synchronized @Nullable Exclusion[] exclusions(NodeConstraint constraint) {
        return known(
                exclusions,
                constraint,
                nodeConstraint ->
                        inventory.stream().map(nodeConstraint::exclusion).toArray(Exclusion[]::new));
    }

    private <K, V> V known(Map<K, V> all, K key, Function<K, V> made) {
        V value = all.computeIfAbsent(key, made);
        if (all.size() > most) {
            all.remove(all.keySet().iterator().next());
        }
        return value;
    }
}
