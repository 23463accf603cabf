package io.slotwise.lab.experiment.cyclic;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A batch whose jobs end before their reservations do, which the planner does not know beforehand.
 *
 * <p>A job takes a part of its reserved time, uniform in [0.2; 1], on each of its nodes; a fixed plan keeps its starts,
 * backfilling plans the waiting jobs anew at every early end, on what is free then.
 */
final class EarlyEnds {
    private static final double LEAST_PART = 0.2;

    private final Map<GangId, Double> parts = new HashMap<>();

    /** What becomes of each of these jobs, drawn in their order. */
    EarlyEnds(List<Gang> batch, RandomGenerator random) {
        batch.forEach(gang -> parts.put(gang.id(), random.nextDouble(LEAST_PART, 1)));
    }

    /**
     * What the jobs of a batch came to, as means over them.
     *
     * @param start of a job
     * @param processorTime that a job used
     */
    record Actual(double start, double processorTime) {}

    /** A plan that is carried out as it is. */
    Actual fixed(Plan plan) {
        return means(plan.windows().stream().map(Planned::window).toList());
    }

    /**
     * Backfilling that plans again at every early end. Empty if a job that waits finds no room before the interval
     * ends. O(pods) plans.
     */
    Optional<Actual> replanned(Policy policy, Cluster cluster, List<Gang> batch) {
        List<Gang> waiting = new ArrayList<>(batch);
        List<Window> started = new ArrayList<>();
        long now = 0;
        while (!waiting.isEmpty() && now < CyclicPaper.INTERVAL) {
            Plan plan = CyclicPaper.plan(policy, with(started, cluster, now), waiting, now);
            long next = CyclicPaper.INTERVAL;
            for (Planned job : plan.windows()) {
                if (job.window().start() == now) {
                    started.add(job.window());
                    waiting.remove(job.gang());
                } else {
                    next = Math.min(next, job.window().start());
                }
            }
            now = Math.min(next, nextEnd(started, now));
        }
        return waiting.isEmpty() ? Optional.of(means(started)) : Optional.empty();
    }

    /** The cluster as it looks at a moment: what has ended is gone, what runs is expected to keep its reservation. */
    private Cluster with(Collection<Window> started, Cluster cluster, long now) {
        Resources resources = cluster.nodes().getFirst().allocatable();
        Stream<Occupation> running = started.stream()
                .flatMap(window -> window.placements().stream()
                        .filter(seat -> end(window, seat) > now)
                        .map(seat -> new Occupation(
                                seat.pod(), seat.node(), resources, new Interval(seat.start(), seat.end()))));
        return new Cluster(
                cluster.nodes(),
                Stream.concat(cluster.occupations().stream(), running).toList());
    }

    private long nextEnd(Collection<Window> started, long now) {
        return started.stream()
                .flatMap(window -> window.placements().stream().map(seat -> end(window, seat)))
                .filter(end -> end > now)
                .min(Comparator.naturalOrder())
                .orElse(CyclicPaper.INTERVAL);
    }

    /** The first second after the pod's real end: at least one second after its start. */
    private long end(Window window, Placement seat) {
        double part = parts.getOrDefault(window.gang(), 1.0);
        return seat.start() + (long) Math.ceil(part * (seat.end() - seat.start()));
    }

    private Actual means(List<Window> windows) {
        double jobs = windows.size();
        double starts = windows.stream().mapToLong(Window::start).sum();
        double times = windows.stream()
                .mapToLong(window -> window.placements().stream()
                        .mapToLong(seat -> end(window, seat) - seat.start())
                        .sum())
                .sum();
        return new Actual(starts / jobs, times / jobs);
    }
}
