package io.slotwise.core.slot;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.gang.PodRequest;
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

    private final Inventory nodes;
    private final boolean wholeNode;
    private final int most;
    private final Map<Resources, PodTariff> sizes = new LinkedHashMap<>(FEWEST, 0.75f, true);
    private final Map<NodeConstraint, @Nullable Exclusion[]> exclusions = new LinkedHashMap<>(FEWEST, 0.75f, true);

    /**
     * The tariffs of a cluster.
     *
     * @param nodes all of them
     * @param wholeNode whether a pod is charged for its whole node rather than for its dominant share
     */
    public PodTariffs(Inventory nodes, boolean wholeNode) {
        this.nodes = nodes;
        this.wholeNode = wholeNode;
        this.most = Math.max(FEWEST, MOST_FIGURES / Math.max(1, nodes.size()));
    }

    /** The nodes. */
    public Inventory nodes() {
        return nodes;
    }

    /** What pods of one kind cost at least, and what they draw. */
    public static final class PodFigures {
        private final PodTariff tariff;
        private final PodRequest pod;
        private final long[] durations;
        private final long any;

        private PodFigures(PodTariff tariff, PodRequest pod) {
            this.tariff = tariff;
            this.pod = pod;
            this.durations = tariff.durations(pod);
            this.any = tariff.leastCost(durations);
        }

        /**
         * No such pod costs less on any node, 1/3600 millionths; more than anything: there is no node that holds one.
         */
        public long leastCost() {
            return any;
        }

        /** None costs less on the node at this position; what a long cannot hold counts as the most that it can. */
        public long leastCost(int node) {
            return tariff.leastCost(node, durations[tariff.speed(node)]);
        }

        /**
         * What one draws on the node at this position from its start to its end, milliwatt-seconds; nothing where that
         * is not known, or more than a long holds.
         */
        public long energy(int node) {
            long duration = durations[tariff.speed(node)];
            long power = tariff.power(node);
            return power == Node.UNKNOWN || power > Long.MAX_VALUE / duration ? 0 : power * duration;
        }

        /** Seconds that one takes on the node at this position. */
        public long duration(int node) {
            return durations[tariff.speed(node)];
        }

        /** The nodes by what one adds to the sum of a figure for each second on the reference node. */
        public NodeKeys keys(Figure figure) {
            return tariff.keys(figure, pod.nodeIndependent());
        }

        /**
         * The largest sum of keys of pods whose sum of the figure may be {@code most}, in its own units; where a long
         * cannot hold it, the most that it can.
         */
        public long mostOfKeys(Figure figure, long most) {
            long units = figure == Figure.DURATION ? PodTariff.ONE : 1;
            return most > Long.MAX_VALUE / units ? Long.MAX_VALUE : Math.floorDiv(most * units, pod.runtime());
        }
    }

    /** What these pods cost and draw. O(speeds). */
    public PodFigures figures(PodRequest pod) {
        return new PodFigures(of(pod.resources()), pod);
    }

    /** What a pod of this size costs on the node at this position, which holds it, from a second on for so many. */
    public Cost cost(Resources request, int node, long start, long duration) {
        return Cost.of(of(request).rate(node), start, start + duration);
    }

    /** What a pod of this size pays and draws. */
    synchronized PodTariff of(Resources request) {
        return known(sizes, request, size -> new PodTariff(size, nodes, wholeNode));
    }

    /** Why each node, by index, is left out for pods with this constraint; null: it is not. Not to be changed. */
    synchronized @Nullable Exclusion[] exclusions(NodeConstraint constraint) {
        return known(
                exclusions,
                constraint,
                pods -> nodes.stream().map(pods::exclusion).toArray(Exclusion[]::new));
    }

    private <K, V> V known(Map<K, V> all, K key, Function<K, V> made) {
        V value = all.computeIfAbsent(key, made);
        if (all.size() > most) {
            all.remove(all.keySet().iterator().next());
        }
        return value;
    }
}
