package io.slotwise.core.planner;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.migration.CycleResources;
import io.slotwise.core.migration.MigrationPlanner;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.Frontier;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.batch.Backfilling;
import io.slotwise.core.planner.batch.BatchLimit;
import io.slotwise.core.planner.batch.BatchShift;
import io.slotwise.core.planner.batch.CyclicBatch;
import io.slotwise.core.planner.batch.ParetoBatch;
import io.slotwise.core.planner.chains.ChainPromises;
import io.slotwise.core.planner.chains.Chains;
import io.slotwise.core.planner.improve.Improvement;
import io.slotwise.core.planner.improve.RuleRepair;
import io.slotwise.core.planner.online.OnlinePlacement;
import io.slotwise.core.planner.preemption.MoveBeneficiaries;
import io.slotwise.core.planner.preemption.Preemption;
import io.slotwise.core.planner.promises.PromiseGuard;
import io.slotwise.core.planner.promises.Successors;
import io.slotwise.core.planner.queue.ImprovementTurns;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.planner.queue.QueueOrder;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.core.window.SearchTurns;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.KeyOrder;
import io.slotwise.core.work.StopSignal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The working state and the steps of one planning cycle. {@link Planner} calls the steps in order. */
public final class Cycle {
    private final Snapshot snapshot;
    private final Policy policy;

    /** True if promises are checked in the same timeline in which windows are searched. */
    private final boolean together;

    private final long horizonEnd;
    private final Bookings bookings;
    private final PlannerResources resources;
    private final PodTariffs tariffs;
    private final CycleResources cycleResources;
    private final List<Move> moves = new ArrayList<>();

    private final Chains chains;
    private final ChainPromises chainPromises;

    private @Nullable Preemption preemption;
    private List<PlanningGang> queue;
    private List<PlanningGang> servedFirst = List.of();
    private final List<BrokenPromise> broken = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    /** The gangs whose windows were withdrawn because they break a rule that pods have about other pods. */
    private Set<GangId> withdrawn = Set.of();
    /** The gangs whose windows were moved, or newly given, to improve the plan. */
    private final Set<GangId> rearranged = new HashSet<>();

    /** The gangs that gave up a window because a predecessor had moved. */
    private final Set<GangId> remade = new HashSet<>();

    /**
     * The gangs without a promise whose pods follow older pods that still leave, see {@link Successors}. Other promises
     * have made way for them.
     */
    private Set<PlanningGang> successors = Set.of();

    private final List<DomainComparison> domains = new ArrayList<>();
    private SearchExtent extent = SearchExtent.NONE;

    @Nullable
    private CyclicBatch cyclic;

    public Cycle(Snapshot snapshot, Policy policy, PodTariffs tariffs, PlannerResources resources) {
        // Promises ignore the turnover. With a turnover of 0, the timeline in which promises are checked is also right
        // for the search, and already contains the promises that hold.
        this.together = policy.turnover() == 0 && policy.replan() != Replan.FREE;
        this.resources = resources;
        this.snapshot = snapshot;
        this.policy = policy;
        this.horizonEnd = snapshot.now() + policy.horizon();
        this.bookings = new Bookings(
                new Timeline(snapshot.cluster(), snapshot.now(), policy.turnover(), queues(snapshot)),
                snapshot.balances());
        this.tariffs = tariffs;
        this.cycleResources = new CycleResources(
                snapshot.now(),
                horizonEnd,
                policy.turnover(),
                bookings,
                tariffs,
                policy.online().domainKey(),
                resources.observer());
        List<PlanningGang> all =
                new GangsToPlan(snapshot, policy, tariffs, bookings.timeline(), resources).inOrderOfNames();
        this.chains = new Chains(
                snapshot, horizonEnd, bookings.timeline(), policy.online().domainKey(), all);
        this.chainPromises = new ChainPromises(chains, bookings);
        this.queue = all.stream()
                .filter(gang -> !chains.refused().containsKey(gang.gang.id()))
                .toList();
        all.stream()
                .filter(gang -> chains.refused().containsKey(gang.gang.id()))
                .forEach(this::breakRefused);
    }

    private static @Nullable QueueTimeline queues(Snapshot snapshot) {
        return snapshot.queues() == null ? null : new QueueTimeline(snapshot.queues());
    }

    /** Breaks the promise of a gang that cannot be planned because of its predecessors. */
    private void breakRefused(PlanningGang gang) {
        if (gang.published() != null) {
            broken.add(new BrokenPromise(
                    gang.gang.id(),
                    gang.published(),
                    Cause.CHAIN,
                    Objects.requireNonNull(chains.refused().get(gang.gang.id()))));
        }
    }

    /**
     * Reserves the promises that still hold. Under {@code replan: free} these are only the promises of gangs whose pods
     * are on their way to their nodes.
     */
    public void keepPromises() {
        if (queue.stream().noneMatch(PlanningGang::promised)) {
            return;
        }
        chainPromises.giveUpLate(queue);
        Timeline timeline = together ? bookings.timeline() : new Timeline(snapshot.cluster(), snapshot.now(), 0);
        PromiseGuard.Kept kept = new PromiseGuard(snapshot, timeline, resources.workers()).keep(queue);
        kept.broken().forEach((gang, brokenPromise) -> {
            gang.breakPromise();
            broken.add(brokenPromise);
        });
        if (kept.bounded()) {
            notes.add("the search for the fewest promises to break was bounded: fewer might be enough");
        }
        for (PlanningGang gang : queue) {
            if (policy.replan() == Replan.FREE && !gang.released()) {
                gang.clearPromise();
            }
            if (gang.promised()) {
                if (!together) {
                    bookings.takeRoom(gang.gang, gang.promisedWindow());
                }
                bookings.takeMoney(gang.promisedWindow());
            }
        }
        Successors followingSuccessors = new Successors(queue, bookings);
        successors = followingSuccessors.makeWay();
        broken.addAll(followingSuccessors.broken());
    }

    /**
     * Returns an object that answers questions about single gangs. No further step may follow. Precondition: promises
     * are kept.
     */
    public CycleQuestions questions() {
        return new CycleQuestions(snapshot, policy, horizonEnd, bookings, queue, chains);
    }

    /** Returns the eligible nodes of each shape of a gang. The gang need not be in the snapshot. */
    public List<Eligibility> eligibility(Gang gang) {
        return Eligibility.of(gang, tariffs, bookings.timeline());
    }

    public AccountBalances balances() {
        return bookings.balances();
    }

    void order() {
        queue = chains.order(
                new QueueOrder(policy.queue(), snapshot.now(), snapshot.used(), UseUnit.in(snapshot.cluster()))
                        .of(queue, bookings));
        ImprovementTurns.deal(queue, policy.improveLimit(), snapshot.now());
    }

    /** Returns the queue in stages, planned one after the other. A chain needs as many stages as it has links. */
    List<List<PlanningGang>> stages() {
        return chains.stages(queue);
    }

    /**
     * Gives gangs without a promise their best windows before all others, in order of arrival: the given gangs, those
     * that follow older pods, and the predecessors of both. These windows count as promises for the rest of the cycle.
     * Returns the gangs that got one.
     */
    Set<GangId> serveFirst(Set<GangId> gangs) {
        Set<GangId> served = new HashSet<>();
        BatchLimit limit = new BatchLimit(policy.batch().limit(), 0);
        List<PlanningGang> due = queue.stream()
                .filter(gang -> gangs.contains(gang.gang.id()) || successors.contains(gang))
                .toList();
        List<PlanningGang> first = queue.stream()
                .filter(gang -> !gang.promised())
                .filter(gang ->
                        due.contains(gang) || due.stream().anyMatch(other -> chains.isBefore(gang.gang.id(), other)))
                .sorted(QueueOrder.ARRIVAL)
                .toList();
        servedFirst = chains.order(QueueOrder.behind(first));
        servedFirst.forEach(gang -> gang.best(
                        bookings, window -> !limit.holdsForAll() || limit.admits(promised(limit), window))
                .ifPresent(window -> {
                    gang.becomesPromised(window);
                    bookings.take(gang.gang, window);
                    served.add(gang.gang.id());
                }));
        return served;
    }

    private BigInteger promised(BatchLimit limit) {
        return queue.stream()
                .flatMap(gang -> Stream.ofNullable(gang.promise()))
                .map(promise -> limit.weight(promise.window()))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    void keepChains(List<PlanningGang> stage) {
        chainPromises.prepare(stage);
    }

    void placeOnline(List<PlanningGang> stage) {
        domains.addAll(
                new OnlinePlacement(policy.online(), snapshot.now(), bookings, resources.observer()).place(stage));
    }

    /**
     * Searches for alternatives and combines them, sub-batch by sub-batch. The turns tell when the search for more
     * alternatives ends.
     */
    void planCyclically(List<PlanningGang> stage, SearchTurns turns) {
        CyclicBatch batch =
                cyclic == null ? new CyclicBatch(policy, snapshot.now(), queue, bookings, resources.workers()) : cyclic;
        batch.plan(stage, turns);
        cyclic = batch;
        extent = turns.extent();
    }

    /** Returns the frontier between money and another figure for the batch, in at most {@code points} points. */
    Frontier frontier(Frontier.Axes axes, int points, StopSignal stop) {
        cyclic = new CyclicBatch(policy, snapshot.now(), queue, bookings, resources.workers());
        SearchTurns turns = new SearchTurns(stop);
        ParetoBatch batch = cyclic.frontier(axes, points, turns);
        extent = turns.extent();
        List<Pending> pending = new ArrayList<>(snapshot.held());
        Diagnosis diagnosis = new Diagnosis(snapshot, policy, bookings, queue, chains);
        for (PlanningGang gang : queue) {
            boolean chosen = batch.chosen().contains(gang.gang.id());
            if (!chosen && gang.window() == null) {
                pending.add(new Pending(gang.gang.id(), diagnosis.why(gang)));
            }
        }
        pending.sort(Comparator.comparing(Pending::gang));
        return new Frontier(
                snapshot.now(),
                axes,
                batch.chosen().size(),
                batch.points(),
                pending,
                batch.dropped(),
                batch.gap(),
                new PlanNotes(snapshot, policy, cyclic(), extent, queue).after(notes));
    }

    void shift(List<PlanningGang> stage) {
        if (policy.batch().shift()) {
            new BatchShift(bookings, resources.observer())
                    .shift(stage.stream()
                            .filter(gang -> gang.window() != null && cyclic().seeks(gang))
                            .toList());
        }
    }

    void backfill(List<PlanningGang> stage) {
        List<PlanningGang> left = stage.stream()
                .filter(gang -> gang.window() != null || !OnlinePlacement.isOnline(gang, policy.online()))
                .toList();
        new Backfilling(policy, snapshot.now(), bookings, cyclic().combiner().limit(), queue)
                .place(left, resources.workers());
        chainPromises.settle(stage).forEach(this::searchAgain);
    }

    /**
     * Searches for a window for a gang that has none. Promises of its successors were given up, so there may be one.
     */
    private void searchAgain(PlanningGang gang) {
        if (gang.window() == null && gang.leftOut() == null && !OnlinePlacement.isOnline(gang, policy.online())) {
            MoveBeneficiaries beneficiaries =
                    new MoveBeneficiaries(policy, queue, cyclic().combiner().limit());
            gang.best(bookings, window -> beneficiaries.allows(gang, window))
                    .ifPresent(window -> gang.take(bookings, window, WindowOrigin.BACKFILL));
        }
    }

    /** Gives up windows that start before their predecessors end, and searches for later ones. */
    void mendChains() {
        if (chains.areNone()) {
            return;
        }
        chains.renew(queue);
        for (PlanningGang gang : chains.order(queue)) {
            if (isTooEarly(gang) || chainPromises.isWithdrawn(gang)) {
                remade.add(gang.gang.id());
                chainPromises.withdraw(gang);
                searchAgain(gang);
            }
        }
    }

    void dropTooEarly() {
        if (chains.areNone()) {
            return;
        }
        for (PlanningGang gang : chains.order(queue)) {
            if (isTooEarly(gang)) {
                remade.add(gang.gang.id());
                chainPromises.lose(gang);
            }
        }
    }

    private boolean isTooEarly(PlanningGang gang) {
        return gang.window() != null && !chains.holds(gang, gang.window());
    }

    /** Finds better windows, and windows for gangs without one, without breaking a promise. */
    void improve() {
        Improvement improvement = improvement();
        rearranged.addAll(improvement.improve());
        notes.addAll(improvement.notes());
    }

    private Improvement improvement() {
        return new Improvement(
                policy,
                snapshot,
                tariffs,
                bookings,
                queue.stream().filter(gang -> !chains.has(gang)).toList());
    }

    void preempt() {
        Preemption.Scope scope = new Preemption.Scope(
                policy, resources, cycleResources, cyclic().combiner().limit(), chains);
        Preemption currentPreemption = new Preemption(scope, queue, snapshot.running());
        currentPreemption.displace();
        preemption = currentPreemption;
        queue = currentPreemption.queue();
        if (!currentPreemption.displaced().isEmpty()) {
            rearranged.addAll(improvement().placeNewcomers());
        }
        broken.addAll(currentPreemption.broken());
        if (currentPreemption.bounded()) {
            notes.add("the search for gangs to displace was bounded: other gangs might lose less");
        }
    }

    /** Withdraws windows that break a rule that pods have about other pods. */
    void keepRules() {
        withdrawn = new RuleRepair(bookings, queue).settle();
    }

    void migrate() {
        // The promises of a gang's successors depend on its end.
        List<Running> running = preemption().running().stream()
                .filter(runningGang -> !chains.isAwaited(runningGang.gang().id()))
                .toList();
        if (policy.migration().reach() == Reach.NONE || running.isEmpty()) {
            return;
        }
        MigrationPlanner migration = new MigrationPlanner(
                policy.migration(), cycleResources, running, preemption().disruptions());
        MoveBeneficiaries beneficiaries =
                new MoveBeneficiaries(policy, queue, cyclic().combiner().limit());
        moves.addAll(migration.start(beneficiaries.waiting(), beneficiaries::started));
        moves.addAll(migration.save());
    }

    private Preemption preemption() {
        return Objects.requireNonNull(preemption);
    }

    private CyclicBatch cyclic() {
        return Objects.requireNonNull(cyclic);
    }

    List<GangId> gangs() {
        return queue.stream().map(gang -> gang.gang.id()).toList();
    }

    Plan plan() {
        List<Planned> windows = new ArrayList<>();
        List<Pending> pending = new ArrayList<>(snapshot.held());
        Diagnosis diagnosis = new Diagnosis(snapshot, policy, bookings, queue, chains);
        chains.refused().forEach((gang, refusal) -> pending.add(new Pending(gang, refusal)));
        for (PlanningGang gang : queue) {
            Window before = gang.published();
            if (before != null && chainPromises.hasLost(gang) && !gang.keeps(before)) {
                broken.add(new BrokenPromise(gang.gang.id(), before, Cause.CHAIN, chains.delay(gang)));
                gang.breakPromise();
            } else if (before != null && !gang.keeps(before)) {
                broken.add(new BrokenPromise(
                        gang.gang.id(),
                        before,
                        Cause.POLICY,
                        "the policy plans promised windows again (promises.replan: free)"));
            }
            if (gang.window() != null) {
                windows.add(borrowing(gang.planned(gang.window(), policy.slack())));
            } else {
                pending.add(new Pending(gang.gang.id(), diagnosis.why(gang)));
            }
        }
        for (Move move : moves) {
            Window targetWindow = Objects.requireNonNull(move.targetWindow());
            windows.add(borrowing(new Planned(move.gang(), targetWindow, WindowOrigin.MIGRATION, false)
                    .withBound(policy.slack().promised(move.gang(), targetWindow))));
        }
        List<Move> all = Stream.concat(moves.stream(), preemption().moves().stream())
                .sorted(Comparator.comparing(move -> move.gang().id()))
                .toList();
        List<Planned> byStart = KeyOrder.of(
                windows,
                planned -> planned.window().start(),
                Comparator.comparing((Planned planned) -> planned.gang().id()));
        pending.sort(Comparator.comparing(Pending::gang));
        broken.sort(Comparator.comparing(BrokenPromise::gang));
        // A gang that was displaced later has another window, or none.
        List<DomainComparison> chosen = DomainComparison.inForce(domains, byStart);
        List<String> told = new PlanNotes(snapshot, policy, cyclic(), extent, queue).after(notes);
        return new Plan(
                snapshot.now(),
                horizonEnd,
                byStart,
                pending,
                broken,
                told,
                choices(),
                all,
                chosen,
                extent,
                List.of(),
                QueueOrder.positions(servedFirst, queue, bookings.timeline().queues()));
    }

    /** Returns the choices of the batch for the gangs that kept what was chosen. */
    private List<ChoiceExplanation> choices() {
        return cyclic().combiner().choices().stream()
                .filter(choice -> !preemption().displaced().contains(choice.gang())
                        && !withdrawn.contains(choice.gang())
                        && !cyclic().unpaid().contains(choice.gang())
                        && !remade.contains(choice.gang())
                        && !rearranged.contains(choice.gang()))
                .sorted(Comparator.comparing(ChoiceExplanation::gang))
                .toList();
    }

    /** Returns a window with the seconds in which it borrows. Precondition: the queues have the use of all windows. */
    private Planned borrowing(Planned planned) {
        QueueTimeline queues = bookings.timeline().queues();
        String queue = planned.gang().queue();
        return queues == null || queue == null
                ? planned
                : planned.withBorrowed(queues.borrowed(
                        queue, planned.gang().total(), planned.window().interval()));
    }
}
