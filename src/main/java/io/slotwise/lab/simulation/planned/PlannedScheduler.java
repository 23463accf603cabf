package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.ledger.QueueLedgers;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.GangEnds;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.planner.queue.BypassCounter;
import io.slotwise.core.planner.queue.BypassCounter.Arrival;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.NodeSpending;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.SimulationObserver.Why;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.simulation.planned.SimulatedCluster.News;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's own planner as a scheduler: gangs are promised windows on named nodes and start as promised.
 *
 * <p>A cycle is due once events have been collected for {@link PlannedClusterRules#collect}, and at once if a promise
 * is due and its room may have changed. Cycles without events are skipped, because they would find nothing new. Each
 * cycle gives every waiting gang with its promise to the {@link Planner}, and the result replaces the promises. Only
 * the planner breaks promises, for its causes.
 *
 * <p>A pod that ends early frees its room at once, so that others can move forward in the next cycle. A late pod keeps
 * its room for the rules' grace at a time. A gang pays the promised price for the real seconds: less for an early end,
 * and the rate of the last promised second for overrun. A gang that loses a pod with its node is stopped, pays until
 * then, and waits again with its first arrival.
 *
 * <p>The planner gets running gangs as a cluster's host gives them, and its moves are carried out. A displaced or moved
 * gang is stopped, pays until then, and keeps its room until its pods are gone ({@link
 * io.slotwise.core.migration.EvictionTiming#usual}). The rest of its work waits with the rest of its budget, mostly
 * with a window already. A cycle is also due once a gang has run long enough to be stopped.
 *
 * <p>If the policy buys nodes, {@link BoughtNodes} does so.
 *
 * <p>Memory grows with waiting and running pods. A pass without planning takes O(pods that start or end), any other as
 * long as the planner.
 */
public final class PlannedScheduler implements Scheduler {
    private final PlannedClusterRules rules;
    private final SimulatedCluster cluster;
    private final BoughtNodes bought;
    private final Planner planner;
    private final SortedMap<GangId, WaitingJob> waiting = new TreeMap<>();
    private final SortedMap<GangId, RunningJob> running = new TreeMap<>();
    private final SimulatedLedgers ledgers = new SimulatedLedgers();
    private final UsedRuntimes runtimes = new UsedRuntimes();
    private @Nullable QueueTree tree;
    /** The nodes of which the tree knows the capacity. */
    private @Nullable Inventory treeInventory;

    private long cycleDue = NEVER;
    private long lastCycle = Long.MIN_VALUE / 2;
    private long latestEvent;

    private long seen = Long.MIN_VALUE;

    /** Creates a scheduler of idle nodes; {@code random} is for policies that draw windows. */
    public PlannedScheduler(Collection<Node> nodes, PlannedClusterRules rules, Workers workers, RandomSource random) {
        this(nodes, List.of(), rules, workers, random);
    }

    public PlannedScheduler(
            Collection<Node> nodes,
            List<NodeOffer> offers,
            PlannedClusterRules rules,
            Workers workers,
            RandomSource random) {
        this.rules = rules;
        this.cluster = new SimulatedCluster(nodes, rules.overrunGrace());
        this.bought = new BoughtNodes(offers, rules.policy().provisioning(), cluster);
        this.planner = new Planner(rules.policy(), workers, random);
    }

    @Override
    public void ended(JobRun run) {
        ledgers.ended(
                Objects.requireNonNull(
                        running.remove(new GangId(run.job().user(), run.job().id()))),
                run);
        runtimes.ended(run);
    }

    @Override
    public List<JobRun> meets(Disturbance disturbance, long now) {
        List<JobRun> stopped = new ArrayList<>();
        cluster.advance(now);
        switch (disturbance) {
            case Disturbance.Removed removed -> {
                running.values().stream()
                        .filter(job -> job.runsOn(removed.node()))
                        .toList()
                        .forEach(job -> stopped.add(stop(job, now)));
                cluster.remove(removed.node());
            }
            case Disturbance.Returned returned -> cluster.putBack(returned.node());
            case Disturbance.Repriced repriced -> cluster.reprice(repriced.node(), repriced.price());
            case Disturbance.OwnerJob job -> cluster.owns(job);
        }
        collect(now);
        return stopped;
    }

    /** Stops a gang that lost a node. It waits again, without the work of this run. */
    private JobRun stop(RunningJob job, long now) {
        JobRun run = job.lost(now);
        again(job, new WaitingJob(job.before.job, job.before.runs), run);
        return run;
    }

    private void again(RunningJob stoppedJob, WaitingJob job, JobRun run) {
        running.remove(job.gang.id());
        waiting.put(job.gang.id(), job);
        ledgers.ended(stoppedJob, run);
    }

    @Override
    public long capacityOf(Job job) {
        return job.cpu();
    }

    @Override
    public boolean submitted(Job job, long now) {
        if (!job.parts().stream().allMatch(this::admits)) {
            return false;
        }
        WaitingJob waitingJob = new WaitingJob(job, StoppedRuns.NOTHING);
        if (waiting.put(waitingJob.gang.id(), waitingJob) != null || running.containsKey(waitingJob.gang.id())) {
            throw new IllegalArgumentException("The job (%s) appears twice.".formatted(waitingJob.gang.id()));
        }
        collect(now);
        return true;
    }

    /**
     * Returns whether all nodes, idle and with those that can be bought, hold these tasks. Only nodes on which a task
     * would end within the horizon count. O(N) at worst.
     */
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
        return left <= bought.atMost(part.request(), rules.policy().horizon());
    }

    /** Schedules the next cycle after an event: at once, but long enough after the last one to collect a burst. */
    private void collect(long now) {
        latestEvent = now;
        cycleDue = Math.min(cycleDue, Math.max(now, lastCycle + rules.collect()));
    }

    @Override
    public List<Stopped> stops(long now) {
        News news = cluster.advance(now);
        buy(now);
        boolean ripe = firstRipe(now - 1) == now;
        seen = now;
        if (news.surprising() || (news.ended() && (movable() || waitsForAnyRoom() || goesByStarts()))) {
            collect(now);
        }
        if (waiting.isEmpty() && !movable()) {
            cycleDue = NEVER;
        }
        List<Stopped> stopped =
                ripe || cycleDue <= now || (cycleDue != NEVER && nextStart() <= now) ? cycle(now) : List.of();
        if (bought.giveUp(this::isNeeded, now) && waitsForAnyRoom()) {
            // Another node may be bought instead.
            collect(now + 1);
        }
        buy(now);
        return stopped;
    }

    private void buy(long now) {
        bought.buy(now).forEach(purchase -> {
            WaitingJob job = waiting.get(purchase.gang());
            if (job != null) {
                job.releasePromise(purchase.node());
            }
        });
    }

    private boolean isNeeded(String node) {
        return waiting.values().stream()
                        .map(WaitingJob::promise)
                        .anyMatch(promise -> promise != null && promise.window().isOn(node))
                || running.values().stream().anyMatch(job -> job.runsOn(node));
    }

    private boolean waitsForAnyRoom() {
        return waiting.values().stream().anyMatch(job -> job.promise() == null);
    }

    /** Returns whether a gang may start in room that became free just at the start of its window. */
    private boolean goesByStarts() {
        return rules.policy().leastSaving() > 0;
    }

    /** Returns whether any running gang may be moved, whichever gang waits. */
    private boolean movable() {
        return running.values().stream()
                .anyMatch(job -> rules.policy().stops(job.demand(), job.priority(), Integer.MIN_VALUE));
    }

    /** Returns the running gangs that the policy allows to stop, as a cluster's host finds them. */
    private Stream<RunningJob> stoppable() {
        int highest = waiting.values().stream()
                .map(job -> job.gang)
                .filter(Gang::preempts)
                .mapToInt(Gang::priority)
                .max()
                .orElse(Integer.MIN_VALUE);
        return running.values().stream().filter(job -> rules.policy().stops(job.demand(), job.priority(), highest));
    }

    /** Returns the first second after this one in which a further gang may be stopped. */
    private long firstRipe(long after) {
        return stoppable()
                .mapToLong(job -> rules.policy().migration().mayStopFrom(job.window.start(), job.before.runs.stops()))
                .filter(second -> second > after)
                .min()
                .orElse(NEVER);
    }

    public Snapshot snapshot(long now) {
        return bought.on(planned(now), now);
    }

    private Snapshot planned(long now) {
        Cluster pictureCluster = cluster.picture(now);
        QueueState queues = queues(pictureCluster.inventory());
        Policy.Queue queuePolicy = rules.policy().queue();
        Collection<Ledger> accounted =
                queuePolicy.goesByUse() || !rules.budgets().isEmpty()
                        ? ledgers.at(now, running.values(), rules.overrunGrace())
                        : List.of();
        return new Snapshot(
                        now,
                        pictureCluster,
                        waiting.values().stream()
                                .map(job -> job.request(home(job)))
                                .toList(),
                        List.of())
                .ending(new GangEnds(ends(now), GangEnds.OPEN.admitted()))
                .withRunning(stoppable()
                        .filter(RunningJob::isWhole)
                        .map(job -> job.running(now))
                        .toList())
                .withUsed(queuePolicy.used(accounted, now, UseUnit.in(pictureCluster)))
                .withQueues(queues)
                .withQueueBudgets(rules.budgets())
                .withAccounts(accounts(queues, accounted, now))
                .withUses(goesByStarts() ? runtimes.parts(rules.policy().expectedUse()) : Map.of());
    }

    private List<Account> accounts(@Nullable QueueState queues, Collection<Ledger> accounted, long now) {
        return queues == null
                ? List.of()
                : new QueueLedgers(queues.tree(), rules.budgets(), accounted)
                        .accounts(Map.of(), now, now + rules.policy().horizon());
    }

    private @Nullable QueueState queues(Inventory inventory) {
        if (rules.queues().isEmpty()) {
            return null;
        }
        QueueTree knownTree = tree;
        if (knownTree == null || !inventory.equals(treeInventory)) {
            knownTree = QueueTree.of(rules.queues(), inventory.total());
            tree = knownTree;
            treeInventory = inventory;
        }
        return new QueueState(
                knownTree, running.values().stream().flatMap(RunningJob::use).toList());
    }

    private List<Stopped> cycle(long now) {
        Snapshot snapshot = snapshot(now);
        Plan plan = planner.plan(snapshot);
        lastCycle = now;
        List<Stopped> stopped =
                plan.moves().stream().map(move -> carryOut(move, now)).toList();
        for (BrokenPromise broken : plan.broken()) {
            waiting(broken.gang()).broken(broken.cause());
        }
        plan.pending().stream().map(Pending::gang).forEach(gang -> waiting(gang).unpromised());
        List<Node> ordered = bought.order(plan);
        boolean improved = promise(plan, new PromisedPrices(snapshot.seeing(ordered), rules.policy()), now);
        cycleDue = improved || !stopped.isEmpty() ? now + rules.cycle() : nextPeriod(now);
        return stopped;
    }

    /**
     * Returns the second in which a later period of a budget may have come within the horizon. After two months without
     * an event, all periods are alike.
     */
    private long nextPeriod(long now) {
        long midnight = (Math.floorDiv(now, Period.DAY_SECONDS) + 1) * Period.DAY_SECONDS;
        return rules.budgets().isEmpty() || !waitsForAnyRoom() || midnight - latestEvent > 62 * Period.DAY_SECONDS
                ? NEVER
                : midnight;
    }

    /** Returns the expected ends of predecessors. A gang that neither waits nor runs is over. */
    private Map<GangId, Long> ends(long now) {
        Map<GangId, Long> ends = new HashMap<>();
        waiting.values().stream()
                .flatMap(job -> job.gang.after().gangs().stream())
                .filter(before -> !waiting.containsKey(before))
                .forEach(before -> {
                    RunningJob job = running.get(before);
                    ends.put(before, job == null ? now : job.expectedEnd());
                });
        return ends;
    }

    /** Under local migration a stopped gang stays in the resource domains of its new window until it starts. */
    private @Nullable Home home(WaitingJob job) {
        Promise promise = job.promise();
        return promise == null
                        || job.runs.stops().isEmpty()
                        || rules.policy().migration().reach() != Reach.LOCAL
                ? null
                : Home.of(
                        rules.policy().online().domainKey(),
                        promise.window().placements().stream().map(placement -> cluster.node(placement.node())));
    }

    /** Stops a gang for others, or to save money. It pays until now, and the rest of its work waits. */
    private Stopped carryOut(Move move, long now) {
        RunningJob job = Objects.requireNonNull(running.get(move.gang().id()), "a gang that runs");
        Cause cause = Cause.of(move.purpose());
        JobRun run = job.evicted(move, now);
        again(job, job.before.stopped(job.past(move, run, now), cause), run);
        return new Stopped(run, cause == Cause.MIGRATION ? Why.MOVED : Why.DISPLACED);
    }

    /** Takes over the plan's windows as promises. Returns whether one replaced an earlier promise. */
    private boolean promise(Plan plan, PromisedPrices prices, long now) {
        Map<GangId, OptionalLong> losses = new HashMap<>();
        for (ChoiceExplanation choice : plan.choices()) {
            losses.put(choice.gang(), OptionalLong.of(choice.loss()));
        }
        boolean improved = false;
        List<Arrival> served = new ArrayList<>();
        for (Planned planned : plan.windows()) {
            if (!planned.kept()) {
                WaitingJob job = waiting(planned.gang().id());
                improved |= job.promise() != null;
                boolean first = job.promised(
                        planned.promise(false),
                        prices.of(planned),
                        losses.getOrDefault(job.gang.id(), OptionalLong.empty()),
                        now);
                if (first) {
                    served.add(job.arrival());
                }
            }
        }
        BypassCounter counter = new BypassCounter(served);
        waiting.values().forEach(job -> job.passedBy(counter));
        return improved;
    }

    private WaitingJob waiting(GangId gang) {
        return Objects.requireNonNull(waiting.get(gang), "a gang that waits");
    }

    private long nextStart() {
        return waiting.values().stream()
                .map(WaitingJob::promise)
                .filter(Objects::nonNull)
                .mapToLong(promise -> promise.window().start())
                .min()
                .orElse(NEVER);
    }

    @Override
    public List<JobRun> pass(long now) {
        List<JobRun> starts = new ArrayList<>();
        for (WaitingJob gangJob : List.copyOf(waiting.values())) {
            Promise promise = gangJob.promise();
            if (promise != null && promise.window().start() <= now) {
                waiting.remove(gangJob.gang.id());
                RunningJob goingJob = new RunningJob(gangJob, promise.window(), cluster, rules.topology());
                running.put(gangJob.gang.id(), goingJob);
                starts.add(goingJob.run);
            }
        }
        return starts;
    }

    @Override
    public long wakesAt() {
        return Math.min(
                Math.min(Math.min(cycleDue, bought.nextChange(seen)), firstRipe(seen)),
                Math.min(cluster.nextSecond(), nextStart()));
    }

    @Override
    public Optional<NodeSpending> spending() {
        return bought.spending(seen);
    }

    @Override
    public MachineLoad load(long now) {
        return cluster.load(now);
    }
}
