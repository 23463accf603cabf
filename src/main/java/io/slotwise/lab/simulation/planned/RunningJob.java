package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.LedgerEntry;
import io.slotwise.core.ledger.Overrun;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.JobRun.Before;
import io.slotwise.lab.simulation.JobRun.Loss;
import io.slotwise.lab.simulation.planned.SimulatedCluster.Allocation;
import io.slotwise.lab.simulation.planned.SimulatedCluster.Taking;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A gang that runs in its promised window. Only the simulation knows when its pods will end. */
final class RunningJob {
    final WaitingJob before;

    final Window window;
    /** The run if nothing stops it. */
    final JobRun run;

    private final SimulatedCluster cluster;

    /** The narrowest span in which its nodes lie. */
    private final Topology.Span span;

    private final List<Allocation> allocations = new ArrayList<>();

    /** The ends of the pods if nothing stops them, by name. A bought node may be gone before others end. */
    private final Map<String, Long> ends = new HashMap<>();

    /** Starts a gang; {@code clusterTopology} is what distance costs, if not what its own topology says. */
    RunningJob(WaitingJob before, Window window, SimulatedCluster cluster, Topology clusterTopology) {
        this.before = before;
        this.window = window;
        this.cluster = cluster;
        Topology topology = clusterTopology.isAnywhere() ? before.gang.topology() : clusterTopology;
        this.span = topology.spanOf(window.placements().stream()
                .map(placement -> cluster.node(placement.node()))
                .toList());
        this.run = run(Long.MAX_VALUE, work());
        for (Placement placement : window.placements()) {
            ends.put(placement.pod(), window.start() + seconds(placement, work() + before.runs.overhead()));
            allocations.add(cluster.takeFree(new Taking(
                    before.gang.id().namespace() + "/" + placement.pod(),
                    placement.node(),
                    before.gang.requestOf(placement.pod()).resources(),
                    window.start(),
                    end(placement),
                    placement.end(),
                    false)));
        }
    }

    /** Returns the work of this run without the restart, seconds on the reference node. */
    private long work() {
        return before.job.runtime() - before.runs.done();
    }

    boolean runsOn(String node) {
        return allocations.stream().anyMatch(allocation -> allocation.on(node) && cluster.holds(allocation));
    }

    int priority() {
        return before.gang.priority();
    }

    Demand demand() {
        return before.job.terms().demand();
    }

    long expectedEnd() {
        return allocations.stream()
                .filter(cluster::holds)
                .mapToLong(allocation -> allocation.occupation().interval().end())
                .max()
                .orElse(window.end());
    }

    /** Returns the use of its queue, or nothing if no queue bounds it. */
    Stream<QueueUse> use() {
        return before.gang.use(new Interval(window.start(), expectedEnd()));
    }

    /** Returns the open run for a ledger. */
    LedgerEntry entry() {
        return new LedgerEntry(
                        new LedgerEntry.Key(before.job.id(), window.start()),
                        before.job.id(),
                        window.end(),
                        window.cost(),
                        window.processorTime(),
                        null)
                .withQueue(before.gang.queue());
    }

    /** Returns the run for a ledger after its end. */
    LedgerEntry settled(Overrun overrun, long end) {
        return entry().withSettled(new LedgerEntry.Settled(Charge.of(window, before.tariff(), overrun.course()), end));
    }

    /** Returns the part of the open run beyond its promise, to the end of its next grace. */
    Overrun overrun(long now, OverrunGrace grace) {
        long planned = window.placements().stream()
                .filter(placement -> end(placement) > now)
                .mapToLong(Placement::end)
                .min()
                .orElse(now);
        return overrun(now, now < planned ? now : grace.until(window.start(), planned, now - planned));
    }

    /** Returns the part beyond the promise, if pods that have not ended by {@code now} end at {@code until}. */
    Overrun overrun(long now, long until) {
        Map<String, Long> lastSeconds = new HashMap<>();
        ends.forEach((pod, end) -> lastSeconds.put(pod, end <= now ? end : until));
        Charge.Course course = new Charge.Course(window.start(), lastSeconds, until, before.gang.lockstep());
        return new Overrun(window, before.tariff(), course);
    }

    private long end(Placement placement) {
        return Objects.requireNonNull(ends.get(placement.pod()));
    }

    boolean isWhole() {
        return allocations.stream().allMatch(cluster::holds);
    }

    Running running(long now) {
        return new Running(
                before.gang,
                new io.slotwise.core.migration.GangProgress(
                        window, before.tariff(), window.start(), now - window.start(), before.runs.overhead()),
                allocations.stream().map(Allocation::occupation).toList(),
                stop(),
                before.runs.stops().stream()
                        .filter(second -> second > now - MigrationPolicy.HOUR)
                        .toList(),
                demand().migratable(),
                List.of(),
                before.runs.lost());
    }

    private EvictionTiming stop() {
        return EvictionTiming.usual(before.runs.stops().size() + 1L);
    }

    /** Ends the run after the loss of nodes: all room is given up, and no work of this run is kept. */
    JobRun lost(long now) {
        allocations.forEach(cluster::give);
        return run(now, 0);
    }

    /** Evicts the gang for a move. Its pods keep their room until they are gone. */
    JobRun evicted(Move move, long now) {
        allocations.forEach(allocation -> cluster.evict(allocation, now + stop().gone()));
        return run(now, kept(move));
    }

    StoppedRuns past(Move move, JobRun run, long now) {
        long worked = window.placements().stream()
                .mapToLong(placement -> seconds(placement, kept(move)))
                .max()
                .orElse(0);
        return before.runs.after(before.job, move, now, run, worked);
    }

    /** Returns the work of this run that need not be repeated. */
    private long kept(Move move) {
        return before.job.estimate() - before.runs.done() - move.work();
    }

    /** Returns the run as stopped at {@code until} with {@code kept} work, seconds on the reference node. */
    private JobRun run(long until, long kept) {
        long end = window.start();
        long capacity = 0;
        long processorTime = 0;
        long work = 0;
        SortedMap<String, Cost> income = new TreeMap<>();
        Loss loss = Loss.NOTHING;
        for (Placement placement : window.placements()) {
            long seconds = Math.min(seconds(placement, work() + before.runs.overhead()), until - window.start());
            long useful = kept == 0 ? 0 : Math.min(seconds, seconds(placement, kept));
            long cpu = before.gang.requestOf(placement.pod()).resources().get(Resources.CPU);
            Cost cost = before.tariff().cost(placement, seconds);
            Cost earnedCost = before.tariff().cost(placement, useful);
            end = Math.max(end, window.start() + seconds);
            capacity += cpu;
            processorTime += seconds;
            work = Math.addExact(work, Math.multiplyExact(cpu, seconds));
            income.merge(cluster.node(placement.node()).owner(), cost, Cost::plus);
            loss = new Loss(
                    loss.processorTime() + seconds - useful,
                    Math.addExact(loss.work(), Math.multiplyExact(cpu, seconds - useful)),
                    loss.cost().plus(new Cost(cost.microSecondsPerHour() - earnedCost.microSecondsPerHour())));
        }
        return new JobRun(
                before.job,
                window.start(),
                end,
                capacity,
                processorTime,
                work,
                income,
                before.deal(window.start()),
                new Before(before.runs.seconds(), before.runs.paidCost()),
                loss);
    }

    /** Returns how long a pod keeps its room for this work; in lockstep until the slowest pod ends. */
    private long seconds(Placement placement, long work) {
        return before.gang.lockstep()
                ? window.placements().stream()
                        .mapToLong(other -> alone(other, work))
                        .max()
                        .orElse(0)
                : alone(placement, work);
    }

    private long alone(Placement placement, long work) {
        return span.lasting(
                before.gang.requestOf(placement.pod()).nodeIndependent()
                        ? work
                        : cluster.node(placement.node()).performance().duration(work));
    }
}
