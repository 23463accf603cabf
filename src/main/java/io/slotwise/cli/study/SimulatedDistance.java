package io.slotwise.cli.study;

import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.kubernetes.manifest.field.DistanceCost;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * The distance of tasks in a simulation: what it costs, and what jobs request because of it.
 *
 * @param cost the factors of the runtime by the levels of nodes
 */
record SimulatedDistance(Topology cost, Topology requested) {
    /** The topology that jobs request. */
    enum Request {
        /** The criterion decides, by what the distance costs. */
        DISTANCE,
        /** The narrowest level is required. */
        REQUIRED,
        /** Any nodes, as if the distance cost nothing. */
        IGNORED
    }

    static SimulatedDistance of(Topology cost, Request request) {
        return new SimulatedDistance(
                cost,
                switch (request) {
                    case DISTANCE -> cost;
                    case REQUIRED -> Topology.within(cost.spans().getFirst().level());
                    case IGNORED -> Topology.ANYWHERE;
                });
    }

    /** Parses factors from the narrowest level to the widest, each called by the key of its label. */
    static Topology parse(String text) {
        List<DistanceCost> costs = GangKey.DISTANCE_COST.parse(text);
        List<String> keys = new ArrayList<>();
        List<Span> spans = new ArrayList<>();
        for (DistanceCost cost : costs.reversed()) {
            boolean isAll = cost.level().equals(DistanceCost.CLUSTER);
            if (!isAll) {
                keys.add(cost.level());
            }
            spans.addFirst(new Span(isAll ? null : new TopologyLevel(keys), cost.factor()));
        }
        return new Topology(spans, null);
    }

    Workload requesting(Workload workload) {
        return DerivedWorkload.of(
                workload,
                job -> job.on(job.terms().withDemand(job.terms().demand().withTopology(requested))));
    }
}
