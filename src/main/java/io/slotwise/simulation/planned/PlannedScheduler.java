package io.slotwise.simulation.planned;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.Deliberation;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Planner;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Draws;
import io.slotwise.core.work.Workers;
import io.slotwise.simulation.Load;
import io.slotwise.simulation.Run;
import io.slotwise.simulation.Scheduler;
import io.slotwise.simulation.disturbance.Disturbance;
import io.slotwise.simulation.planned.SimulatedCluster.News;
import io.slotwise.simulation.planned.SimulatedCluster.Seat;
import io.slotwise.simulation.planned.SimulatedCluster.Taking;
import io.slotwise.workload.Job;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cluster's own planner as a scheduler: gangs are promised windows on named nodes and start in their promised second.
 *
 * <p>A cycle is due once events have been collected for {@link Rules#collect}, and at once where a promise is due and its room may have
 * changed. Cycles between which nothing happens are left out, as they would find nothing new. In each of them every gang that waits is
 * handed to the {@link Planner} with its promise; what comes out replaces it. Promises are broken by the planner alone, for its causes.
 *
 * <p>A pod that ends early gives its room back at once, and pulls others forward in the cycle after; one that is late holds its room for
 * the rules' grace at a time. A gang pays what it was promised for the seconds that it really took: an early end pays less, seconds
 * beyond the promise are paid at the rate of its last one. A gang that loses a pod with its node stops whole, pays until then and waits
 * again, under its first arrival.
 *
 * <p>Memory grows with the pods that wait or run; a pass in which nothing is planned takes O(pods that start or end), any other what the
 * planner takes.
 */
public final class PlannedScheduler implements Scheduler {
    private final Rules rules;
    private final SimulatedCluster cluster;
    private final Planner planner;
    private final SortedMap<GangId, Waiting> waiting = new TreeMap<>();
    private final SortedMap<GangId, Going> running = new TreeMap<>();
    private final Usage usage = new Usage();
    private long cycleDue = NEVER;

    /**
     * A scheduler of idle nodes.
     *
     * @param workers who searches
     * @param draws for policies that draw windows
     */
    public PlannedScheduler(Collection<Node> nodes, Rules rules, Workers workers, Draws draws) {
        this.rules = rules;
        this.cluster = new SimulatedCluster(nodes, rules.overrunGrace());
        this.planner = new Planner(rules.policy(), workers, draws);
    }

    /** A gang that runs. */
    private record Going(Run run, Waiting before, Window window, List<Seat> seats) {}

    @Override
    public void ended(Run run) {
        running.remove(new GangId(run.job().user(), run.job().id()));
        paid(run);
    }

    private void paid(Run run) {
        usage.paid(run.job().user(), run.start(), run.income().values().stream().reduce(Cost.ZERO, Cost::plus));
    }

    /** What users have paid, and pay for what runs, if the queue goes by that. */
    private Map<String, Cost> used(long now) {
        if (!rules.policy().queue().goesByUse()) {
            return Map.of();
        }
        Map<String, Cost> used = usage.left(rules.policy().queue().halfLife(), now);
        running.forEach((gang, going) -> used.merge(gang.namespace(), going.window.cost(), Cost::plus));
        return used;
    }

    @Override
    public List<Run> meets(Disturbance disturbance, long now) {
        List<Run> stopped = new ArrayList<>();
        cluster.advance(now);
        switch (disturbance) {
            case Disturbance.Removed removed -> {
                running.values().stream()
                        .filter(going -> runsOn(removed.node(), going))
                        .toList()
                        .forEach(going -> stopped.add(stop(going, now)));
                cluster.remove(removed.node());
            }
            case Disturbance.Returned returned -> cluster.putBack(returned.node());
            case Disturbance.Repriced repriced -> cluster.reprice(repriced.node(), repriced.price());
            case Disturbance.OwnerJob job -> cluster.owns(job);
        }
        collect(now);
        return stopped;
    }

    private boolean runsOn(String node, Going going) {
        return going.seats.stream().anyMatch(seat -> seat.on(node) && cluster.holds(seat));
    }

    /** Stops a gang whole; it waits again. */
    private Run stop(Going going, long now) {
        going.seats.forEach(cluster::give);
        running.remove(going.before.gang.id());
        waiting.put(going.before.gang.id(), new Waiting(going.before.job));
        Run until = run(going.before, going.window, now);
        paid(until);
        return until;
    }

    @Override
    public long capacityOf(Job job) {
        return job.parts().stream()
                .mapToLong(part -> part.tasks() * part.request().resources().get(Resources.CPU))
                .sum();
    }

    @Override
    public boolean submitted(Job job, long now) {
        if (!job.parts().stream().allMatch(this::admits)) {
            return false;
        }
        Waiting arrived = new Waiting(job);
        if (waiting.put(arrived.gang.id(), arrived) != null || running.containsKey(arrived.gang.id())) {
            throw new IllegalArgumentException("The job (%s) is there twice.".formatted(arrived.gang.id()));
        }
        collect(now);
        return true;
    }

    /** Whether the idle nodes, all of them that would end within the horizon, hold these tasks. O(N) at worst. */
    private boolean admits(Job.Part part) {
        long left = part.tasks();
        for (Iterator<Node> nodes = cluster.nodes(); left > 0 && nodes.hasNext(); ) {
            Node node = nodes.next();
            if (part.request().constraint().exclusion(node) == null
                    && part.request().durationOn(node.performance())
                            <= rules.policy().horizon()) {
                left -= node.allocatable().times(part.request().resources());
            }
        }
        return left <= 0;
    }

    /** Something happened that the next cycle looks at. */
    private void collect(long now) {
        cycleDue = Math.min(cycleDue, now + rules.collect());
    }

    @Override
    public List<Run> pass(long now) {
        News news = cluster.advance(now);
        if (news.surprising() || (news.ended() && waiting.values().stream().anyMatch(gang -> gang.promise() == null))) {
            collect(now);
        }
        if (waiting.isEmpty()) {
            cycleDue = NEVER;
        }
        if (cycleDue <= now || (cycleDue != NEVER && nextStart() <= now)) {
            cycle(now);
        }
        return start(now);
    }

    private void cycle(long now) {
        Snapshot snapshot = new Snapshot(
                        now,
                        cluster.picture(now),
                        waiting.values().stream().map(Waiting::request).toList(),
                        List.of())
                .withUsed(used(now));
        Plan plan = planner.plan(snapshot);
        for (BrokenPromise broken : plan.broken()) {
            waiting(broken.gang()).broken(broken.cause());
        }
        plan.pending().stream().map(Pending::gang).forEach(gang -> waiting(gang).unpromised());
        cycleDue = promise(plan, new PromisedPrices(snapshot, rules.policy())) ? now + rules.cycle() : NEVER;
    }

    /** Takes the plan's windows for promises; whether one took the place of an earlier one. */
    private boolean promise(Plan plan, PromisedPrices prices) {
        Map<GangId, OptionalLong> losses = new HashMap<>();
        for (Deliberation choice : plan.choices()) {
            losses.put(choice.gang(), OptionalLong.of(choice.loss()));
        }
        boolean improved = false;
        for (Planned planned : plan.windows()) {
            if (!planned.kept()) {
                Waiting gang = waiting(planned.gang().id());
                improved |= gang.promise() != null;
                gang.promised(
                        new Promise(planned.window(), planned.via(), false),
                        prices.of(planned),
                        losses.getOrDefault(gang.gang.id(), OptionalLong.empty()));
            }
        }
        return improved;
    }

    private Waiting waiting(GangId gang) {
        return Objects.requireNonNull(waiting.get(gang), "a gang that waits");
    }

    private long nextStart() {
        return waiting.values().stream()
                .map(Waiting::promise)
                .filter(Objects::nonNull)
                .mapToLong(promise -> promise.window().start())
                .min()
                .orElse(NEVER);
    }

    private List<Run> start(long now) {
        List<Run> starts = new ArrayList<>();
        for (Waiting gang : List.copyOf(waiting.values())) {
            Promise promise = gang.promise();
            if (promise != null && promise.window().start() <= now) {
                waiting.remove(gang.gang.id());
                Going going = begin(gang, promise.window());
                running.put(gang.gang.id(), going);
                starts.add(going.run);
            }
        }
        return starts;
    }

    private Going begin(Waiting gang, Window window) {
        Run run = run(gang, window, NEVER);
        List<Seat> seats = new ArrayList<>();
        for (Placement place : window.placements()) {
            seats.add(cluster.take(new Taking(
                    gang.gang.id().namespace() + "/" + place.pod(),
                    place.node(),
                    gang.gang.requestOf(place.pod()).resources(),
                    window.start(),
                    window.start() + seconds(gang, window, place),
                    place.end(),
                    false)));
        }
        return new Going(run, gang, window, seats);
    }

    /** The gang's run in this window, stopped at {@code until} if it lasts so long. */
    private Run run(Waiting gang, Window window, long until) {
        long end = window.start();
        long capacity = 0;
        long processorTime = 0;
        long work = 0;
        SortedMap<String, Cost> income = new TreeMap<>();
        for (Placement place : window.placements()) {
            long seconds = Math.min(seconds(gang, window, place), until - window.start());
            long cpu = gang.gang.requestOf(place.pod()).resources().get(Resources.CPU);
            end = Math.max(end, window.start() + seconds);
            capacity += cpu;
            processorTime += seconds;
            work = Math.addExact(work, Math.multiplyExact(cpu, seconds));
            income.merge(cluster.node(place.node()).owner(), gang.tariff().cost(place, seconds), Cost::plus);
        }
        return new Run(gang.job, window.start(), end, capacity, processorTime, work, income, gang.deal(window.start()));
    }

    /** How long a pod really holds its place; in lockstep until the slowest ends. */
    private long seconds(Waiting gang, Window window, Placement place) {
        return gang.gang.lockstep()
                ? window.placements().stream()
                        .mapToLong(other -> seconds(gang, other))
                        .max()
                        .orElse(0)
                : seconds(gang, place);
    }

    private long seconds(Waiting gang, Placement place) {
        PodRequest request = gang.gang.requestOf(place.pod());
        return request.nodeIndependent()
                ? gang.job.runtime()
                : cluster.node(place.node()).performance().duration(gang.job.runtime());
    }

    @Override
    public long wakesAt() {
        return Math.min(Math.min(cycleDue, cluster.nextSecond()), nextStart());
    }

    @Override
    public Load load(long now) {
        return cluster.load(now);
    }
}
