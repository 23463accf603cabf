package io.slotwise.cli.study;

import io.slotwise.cli.console.CommonOptions;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.kubernetes.manifest.field.DistanceCost;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The options about the distance of tasks in a simulation: what it costs, and what jobs request because of it. */
final class DistanceOptions extends CommonOptions {
    private static final String DISTANCE_COST = "--distance-cost";
    private static final String TOPOLOGY = "--topology";

    /** The topology that jobs request. */
    private enum Request {
        /** The criterion decides, by what the distance costs. */
        DISTANCE,
        /** The narrowest level is required. */
        REQUIRED,
        /** Any nodes, as if the distance cost nothing. */
        IGNORED
    }

    DistanceOptions(CommandSpec spec) {
        super(spec);
        spec.addOption(read(
                        value(
                                DISTANCE_COST,
                                "LEVEL=FACTOR,...",
                                "The factor of the runtime of jobs whose tasks are so far apart, from the narrowest "
                                        + "label of nodes on, such as 'rack=1, block=1.15, cluster=1.6'. Needs "
                                        + "planning policies."),
                        Topology.class,
                        StudyOptions.parsing(DistanceOptions::parse, "is no cost of distance")))
                .addOption(choice(
                        value(
                                TOPOLOGY,
                                "REQUEST",
                                "With --distance-cost, what jobs request: distance (the criterion decides), required "
                                        + "(the narrowest level) or ignored (any nodes). Default: distance."),
                        Request.class,
                        List.of(Request.values()),
                        "a request of topology"));
    }

    /** Parses factors from the narrowest level to the widest, each called by the key of its label. */
    private static Topology parse(String text) {
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
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("expected a label of nodes next to " + DistanceCost.CLUSTER);
        }
        return new Topology(spans, null);
    }

    private @Nullable Topology cost() {
        return given(DISTANCE_COST, Topology.class);
    }

    /** Returns the policies on a cluster in which the distance costs runtime. */
    List<SimulatedPolicy> apart(List<SimulatedPolicy> policies) {
        Topology cost = cost();
        if (cost == null) {
            if (has(TOPOLOGY)) {
                throw wrong("%s is given without %s; expected both".formatted(TOPOLOGY, DISTANCE_COST));
            }
            return policies;
        }
        return policies.stream()
                .<SimulatedPolicy>map(policy -> {
                    if (policy instanceof SimulatedPolicy.Planning planning) {
                        return planning.apart(cost);
                    }
                    throw wrong("The policy (%s) does not know the nodes of a job; expected no %s"
                            .formatted(policy.name(), DISTANCE_COST));
                })
                .toList();
    }

    /** Returns the workload with what each job requests. */
    Workload requesting(Workload workload) {
        Topology cost = cost();
        if (cost == null) {
            return workload;
        }
        Topology requestedTopology = switch (given(TOPOLOGY, Request.class, Request.DISTANCE)) {
            case DISTANCE -> cost;
            case REQUIRED -> Topology.within(cost.spans().getFirst().level());
            case IGNORED -> Topology.ANYWHERE;
        };
        return DerivedWorkload.of(
                workload,
                job -> job.on(job.terms().withDemand(job.terms().demand().withTopology(requestedTopology))));
    }
}
