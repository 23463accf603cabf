package io.slotwise.core.planner;

import io.slotwise.core.backfill.WindowShift;
import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
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
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.batch.Backfilling;
import io.slotwise.core.planner.batch.BatchLimit;
import io.slotwise.core.planner.batch.CyclicBatch;
import io.slotwise.core.planner.batch.ParetoBatch;
import io.slotwise.core.planner.chains.ChainPromises;
import io.slotwise.core.planner.chains.Chains;
import io.slotwise.core.planner.exchange.NeighbourhoodSearch;
import io.slotwise.core.planner.exchange.SlackExchange;
import io.slotwise.core.planner.exchange.SlackInsertion;
import io.slotwise.core.planner.exchange.WindowExchange;
import io.slotwise.core.planner.online.OnlinePlacement;
import io.slotwise.core.planner.preemption.MoveBeneficiaries;
import io.slotwise.core.planner.preemption.Preemption;
import io.slotwise.core.planner.promises.PromiseGuard;
import io.slotwise.core.planner.queue.ImprovementTurns;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.planner.queue.QueueOrder;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.core.window.SearchTurns;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.core.work.KeyOrder;
import io.slotwise.core.work.StopSignal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The scratch and the steps of one planning cycle; {@link Planner} tells their order. */
public final class Cycle {
    private final Snapshot snapshot;
    private final Policy policy;

    /** Whether promises are looked at in the timeline in which windows are searched. */
    private final boolean together;

    private final long horizonEnd;
    private final Bookings bookings;
    private final PlannerResources means;
    private final PodTariffs tariffs;
    private final CycleResources ground;
    /** Of gangs that run on elsewhere, each to its window. */
    private final List<Move> moves = new ArrayList<>();

    /** The eligible nodes of kinds of gangs that were asked for. */
    private final Map<Kind, Eligibility> kinds = new HashMap<>();

    private final Chains chains;
    private final ChainPromises chainPromises;

    private @Nullable Preemption preemption;
    private List<PlanningGang> queue;
    private final List<BrokenPromise> broken = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    /** Gangs whose windows were withdrawn because of what pods ask of others. */
    private Set<GangId> withdrawn = Set.of();
    /** Gangs whose windows were moved within the slack of promises. */
    private final Set<GangId> rearranged = new HashSet<>();

    /** Gangs whose windows were given back because those before them had moved. */
    private final Set<GangId> remade = new HashSet<>();

    private @Nullable WindowExchange exchange;
    private final List<DomainComparison> domains = new ArrayList<>();
    private SearchExtent extent = SearchExtent.NONE;

    @Nullable
    private CyclicBatch cyclic;

    /** A cycle before its first step. */
    public Cycle(Snapshot snapshot, Policy policy, PodTariffs tariffs, PlannerResources means) {
        // Promises look at no turnover: where the policy has none both see the same room, and what holds has it then.
        this.together = policy.turnover() == 0 && policy.replan() != Replan.FREE;
        this.means = means;
        this.snapshot = snapshot;
        this.policy = policy;
        this.horizonEnd = snapshot.now() + policy.horizon();
        this.bookings = new Bookings(
                new Timeline(snapshot.cluster(), snapshot.now(), policy.turnover()),
                new AccountBalances(snapshot.accounts()));
        this.tariffs = tariffs;
        this.ground = new CycleResources(
                snapshot.now(),
                horizonEnd,
                policy.turnover(),
                bookings,
                tariffs,
                policy.online().domainKey(),
                means.searches());
        List<PlanningGang> all = snapshot.requests().stream()
                .map(this::contender)
                .sorted(Comparator.comparing(contender -> contender.gang.id()))
                .toList();
        this.chains = new Chains(
                snapshot, horizonEnd, bookings.timeline(), policy.online().domainKey(), all);
        this.chainPromises = new ChainPromises(chains, bookings);
        this.queue = all.stream()
                .filter(contender -> !chains.refused().containsKey(contender.gang.id()))
                .toList();
        all.stream()
                .filter(contender -> chains.refused().containsKey(contender.gang.id()))
                .forEach(this::breakRefused);
    }

    /** A gang that cannot be planned for what it is after loses what it was promised. */
    private void breakRefused(PlanningGang contender) {
        if (contender.published() != null) {
            broken.add(new BrokenPromise(
                    contender.gang.id(),
                    contender.published(),
                    Cause.CHAIN,
                    Objects.requireNonNull(chains.refused().get(contender.gang.id()))));
        }
    }

    /** Gangs of one kind have the same eligible nodes. */
    private Eligibility eligible(Kind kind) {
        synchronized (kinds) {
            Eligibility known = kinds.get(kind);
            if (known != null) {
                return known;
            }
        }
        // Outside, so that those of several kinds are made side by side.
        Eligibility made = new Eligibility(kind, tariffs, bookings.timeline());
        synchronized (kinds) {
            Eligibility before = kinds.putIfAbsent(kind, made);
            return before == null ? made : before;
        }
    }

    private PlanningGang contender(Request request) {
        Gang gang = request.gang();
        PlanningGang contender = new PlanningGang(
                gang,
                () -> gang.shapes().stream()
                        .map(shape -> eligible(Kind.of(gang, shape.request())))
                        .toList(),
                SlotTerms.of(gang, snapshot.now(), horizonEnd),
                policy.batch().searching(),
                means);
        contender.goesBehind(request.behind());
        Promise promise = request.promise();
        if (promise != null) {
            contender.wasPromised(
                    promise,
                    policy.slack().isNone() ? promise.by() : promise.bound(),
                    request.fresh(),
                    leastGain(promise, contender.terms(), request.fresh()));
        }
        return contender;
    }

    private long leastGain(Promise promise, SlotTerms terms, boolean fresh) {
        long wait = promise.window().start() - terms.earliest();
        return fresh ? Math.max(0, wait) : Math.ceilDiv(Math.max(0, wait) * policy.replanGain(), Policy.Split.ALL);
    }

    /**
     * Reserves every promise that still holds, its room and its money; under {@code replan: free} only those whose pods
     * are on their way.
     */
    public void keepPromises() {
        if (queue.stream().noneMatch(PlanningGang::promised)) {
            return;
        }
        chainPromises.loseLate(queue);
        Timeline timeline = together ? bookings.timeline() : new Timeline(snapshot.cluster(), snapshot.now(), 0);
        PromiseGuard.Kept kept = new PromiseGuard(snapshot, timeline, means.workers()).keep(queue);
        kept.broken().forEach((contender, why) -> {
            contender.breakPromise();
            broken.add(why);
        });
        if (kept.bounded()) {
            notes.add("the search for the fewest promises to break was bounded: fewer might be enough");
        }
        for (PlanningGang contender : queue) {
            if (policy.replan() == Replan.FREE && !contender.released()) {
                contender.isPlannedAnew();
            }
            if (contender.promised()) {
                if (!together) {
                    bookings.takeRoom(contender.gang, contender.promisedWindow());
                }
                bookings.takeMoney(contender.promisedWindow());
            }
        }
    }

    /** What one gang could have, its own promise given back. */
    public List<Window> menu(GangId gang) {
        if (chains.refused().containsKey(gang)) {
            return List.of();
        }
        PlanningGang contender = waiting(gang);
        if (contender.promised()) {
            bookings.giveUpRoom(contender.gang, contender.promisedWindow());
        }
        List<Window> menu = contender.search().menu(contender.terms());
        return contender.gang.preferences().isNone() ? menu : withNearest(menu, contender);
    }

    /** The menu with the window that the gang would get, which need not be among the earliest or cheapest. */
    private static List<Window> withNearest(List<Window> menu, PlanningGang contender) {
        Gang gang = contender.gang;
        return Stream.concat(
                        menu.stream(),
                        contender
                                .search()
                                .best(
                                        gang.criterion(),
                                        contender.terms(),
                                        gang.budget().limit())
                                .stream())
                .distinct()
                .sorted(WindowSearch.order(Criterion.START, gang))
                .toList();
    }

    private PlanningGang waiting(GangId gang) {
        return queue.stream()
                .filter(other -> other.gang.id().equals(gang))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The gang (%s) does not wait.".formatted(gang)));
    }

    /** Why a gang without a promise has no window beside all that is promised. */
    public Refusal obstacle(GangId gang) {
        Refusal refused = chains.refused().get(gang);
        if (refused != null) {
            return refused;
        }
        queue.stream()
                .filter(PlanningGang::promised)
                .forEach(other -> other.accept(other.promisedWindow(), other.via()));
        return new Diagnosis(snapshot, policy, bookings, queue, chains).why(waiting(gang));
    }

    /**
     * A gang as if it were after none, that starts no earlier than it can now; empty: what it is after keeps it from
     * having any window.
     */
    public Optional<Gang> independent(GangId gang) {
        if (chains.refused().containsKey(gang)) {
            return Optional.empty();
        }
        PlanningGang contender = waiting(gang);
        long earliest = contender.terms().earliest();
        return earliest >= horizonEnd
                ? Optional.empty()
                : Optional.of(contender.gang.startingFrom(earliest).after(Predecessors.NONE));
    }

    /** The eligible nodes of each shape of a gang that need not be in the snapshot, beside all that has its room. */
    public List<Eligibility> eligibility(Gang gang) {
        return Eligibility.of(gang, tariffs, bookings.timeline());
    }

    /** What is left in the accounts. */
    public AccountBalances purses() {
        return bookings.purses();
    }

    /** Brings the gangs into the policy's order. */
    void order() {
        queue = chains.order(
                new QueueOrder(policy.queue(), snapshot.now(), snapshot.used(), UseUnit.in(snapshot.cluster()))
                        .of(queue, bookings));
        ImprovementTurns.deal(queue, policy.improveLimit(), snapshot.now());
    }

    /**
     * The queue in stages, of which each is planned once all before it are: a chain needs as many as it is long, and
     * where there is none there is one.
     */
    List<List<PlanningGang>> stages() {
        return chains.stages(queue);
    }

    /**
     * The best windows of these gangs, and of those that they are after, as far as they have no promise, before all
     * others have theirs and in order of arrival. For the rest of the cycle that is what they were promised.
     *
     * @return those that got one
     */
    Set<GangId> serveFirst(Set<GangId> gangs) {
        Set<GangId> served = new HashSet<>();
        BatchLimit allowance = new BatchLimit(policy.batch().limit(), 0);
        List<PlanningGang> due = queue.stream()
                .filter(contender -> gangs.contains(contender.gang.id()))
                .toList();
        List<PlanningGang> first = queue.stream()
                .filter(contender -> !contender.promised())
                .filter(contender -> gangs.contains(contender.gang.id())
                        || due.stream().anyMatch(other -> chains.isBefore(contender.gang.id(), other)))
                .sorted(QueueOrder.ARRIVAL)
                .toList();
        chains.order(QueueOrder.behind(first))
                .forEach(contender -> contender
                        .best(
                                bookings,
                                window -> !allowance.holdsForAll() || allowance.admits(promised(allowance), window))
                        .ifPresent(window -> {
                            contender.becomesPromised(window);
                            bookings.take(contender.gang, window);
                            served.add(contender.gang.id());
                        }));
        return served;
    }

    /** What all promises count for a figure that holds for all. */
    private BigInteger promised(BatchLimit allowance) {
        return queue.stream()
                .flatMap(contender -> Stream.ofNullable(contender.promise()))
                .map(promise -> allowance.weight(promise.window()))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** Promised windows start sooner where others that wait can have other nodes. */
    void exchange() {
        exchange(queue);
    }

    /**
     * The same for the windows of these gangs, whether or not they were promised; who has had a turn in this cycle has
     * no second one.
     */
    void exchange(List<PlanningGang> stage) {
        WindowExchange turns =
                exchange == null ? new WindowExchange(policy, bookings, queue, means.workers()) : exchange;
        turns.pullForward(stage);
        exchange = turns;
    }

    /** Promises that a delay has overtaken move within their slack, or make way. */
    void keepChains(List<PlanningGang> stage) {
        chainPromises.prepare(stage);
    }

    /** Windows for those that do not wait for the batch. */
    void placeOnline(List<PlanningGang> stage) {
        domains.addAll(new OnlinePlacement(policy.online(), snapshot.now(), bookings, means.searches()).place(stage));
    }

    /** Alternatives and their combination, sub-batch by sub-batch, with as many alternatives as there are turns for. */
    void planCyclically(List<PlanningGang> stage, SearchTurns turns) {
        CyclicBatch batch =
                cyclic == null ? new CyclicBatch(policy, snapshot.now(), queue, bookings, means.workers()) : cyclic;
        batch.plan(stage, turns);
        cyclic = batch;
        extent = turns.extent();
    }

    /**
     * What the gangs that are planned together could have between money and another figure, beside those placed online.
     *
     * @param points at most, at least 2
     */
    Frontier frontier(Frontier.Axes axes, int points, StopSignal stop) {
        cyclic = new CyclicBatch(policy, snapshot.now(), queue, bookings, means.workers());
        SearchTurns turns = new SearchTurns(stop);
        ParetoBatch batch = cyclic.frontier(axes, points, turns);
        extent = turns.extent();
        List<Pending> pending = new ArrayList<>(snapshot.held());
        Diagnosis diagnosis = new Diagnosis(snapshot, policy, bookings, queue, chains);
        for (PlanningGang contender : queue) {
            boolean chosen = batch.chosen().contains(contender.gang.id());
            if (!chosen && contender.window() == null) {
                pending.add(new Pending(contender.gang.id(), diagnosis.why(contender)));
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
                notes());
    }

    /** Moves chosen windows, in start order, into the holes before them. */
    void shift(List<PlanningGang> stage) {
        if (!policy.batch().shift()) {
            return;
        }
        List<PlanningGang> moving = stage.stream()
                .filter(contender -> contender.window() != null && cyclic().seeks(contender))
                .toList();
        KeyOrder.of(
                        moving,
                        contender -> Objects.requireNonNull(contender.window()).start(),
                        Comparator.comparing((PlanningGang contender) -> contender.gang.id()))
                .forEach(this::shift);
    }

    /** A shift into another period must find the money there. */
    private void shift(PlanningGang contender) {
        Window before = Objects.requireNonNull(contender.window());
        SlotTerms terms = contender.terms();
        WindowShift shifting = new WindowShift(bookings.timeline(), means.searches());
        if (before.start() <= terms.earliest()) {
            return;
        }
        if (!shifting.mayBeEarlier(contender.gang, before, terms)) {
            contender.accept(before, contender.via());
            return;
        }
        int mark = bookings.mark();
        bookings.giveUp(contender.gang, before);
        Window after = shifting.earlier(contender.gang, before, contender::eligibility, terms);
        boolean better =
                !after.equals(before) && (!contender.promised() || contender.takes(after)) && bookings.pay(after);
        if (better) {
            contender.take(bookings, after, contender.via());
        } else {
            bookings.rollbackTo(mark);
            contender.accept(before, contender.via());
        }
    }

    /** Windows for those that are left over. */
    void backfill(List<PlanningGang> stage) {
        new Backfilling(policy, snapshot.now(), bookings, cyclic().combiner().allowance(), queue, means.workers())
                .place(stage.stream()
                        .filter(contender ->
                                contender.window() != null || !OnlinePlacement.isOnline(contender, policy.online()))
                        .toList());
        chainPromises.settle(stage).forEach(this::searchAgain);
    }

    /** A gang may have a window once promises behind it were given up. */
    private void searchAgain(PlanningGang contender) {
        if (contender.window() == null
                && contender.leftOut() == null
                && !OnlinePlacement.isOnline(contender, policy.online())) {
            MoveBeneficiaries others =
                    new MoveBeneficiaries(policy, queue, cyclic().combiner().allowance());
            contender
                    .best(bookings, window -> others.allows(contender, window))
                    .ifPresent(window -> contender.take(bookings, window, WindowOrigin.BACKFILL));
        }
    }

    /**
     * Gives windows back that start too early for those that they are after, as these have moved or lost theirs, and
     * looks for others.
     */
    void mendChains() {
        if (chains.areNone()) {
            return;
        }
        chains.renew(queue);
        for (PlanningGang contender : chains.order(queue)) {
            if (isTooEarly(contender) || chainPromises.isAway(contender)) {
                remade.add(contender.gang.id());
                chainPromises.takeBack(contender);
                searchAgain(contender);
            }
        }
    }

    /** Gives back what starts too early still. */
    void dropTooEarly() {
        if (chains.areNone()) {
            return;
        }
        for (PlanningGang contender : chains.order(queue)) {
            if (isTooEarly(contender)) {
                remade.add(contender.gang.id());
                chainPromises.lose(contender);
            }
        }
    }

    private boolean isTooEarly(PlanningGang contender) {
        return contender.window() != null && !chains.holds(contender, contender.window());
    }

    /** Windows move within the slack of their promises where that serves all. */
    void rearrange() {
        if (policy.slack().isNone()) {
            return;
        }
        List<PlanningGang> free =
                queue.stream().filter(contender -> !chains.has(contender)).toList();
        SlackInsertion insertion = new SlackInsertion(policy, snapshot.now(), bookings, free);
        rearranged.addAll(insertion.insert());
        if (insertion.bounded()) {
            notes.add("room was made only for the gangs that came last: others might have windows, too");
        }
        SlackExchange moving = new SlackExchange(policy, snapshot, tariffs, bookings, free);
        rearranged.addAll(moving.rearrange());
        if (moving.bounded()) {
            notes.add("only the gangs with the earliest windows were rearranged: others might start sooner");
        }
    }

    /** Gangs of lower priority make way for higher ones, and are planned again. */
    void preempt() {
        Preemption now = new Preemption(
                policy, means, ground, cyclic().combiner().allowance(), queue, snapshot.running(), chains);
        now.displace();
        preemption = now;
        queue = now.queue();
        broken.addAll(now.broken());
        if (now.bounded()) {
            notes.add("the search for gangs to displace was bounded: other gangs might lose less");
        }
    }

    /** Takes windows back whose pods, or those of others, may not be together after all. */
    void keepRules() {
        withdrawn = new NeighbourhoodSearch(bookings, queue).settle();
    }

    /** Moves of gangs that run: for gangs that wait, and for money. */
    void migrate() {
        // What those behind a gang were promised rests on its end.
        List<Running> running = preemption().running().stream()
                .filter(gang -> !chains.isAwaited(gang.gang().id()))
                .toList();
        if (policy.migration().reach() == Reach.NONE || running.isEmpty()) {
            return;
        }
        MigrationPlanner migration = new MigrationPlanner(
                policy.migration(), ground, running, preemption().disruptions());
        MoveBeneficiaries latecomers =
                new MoveBeneficiaries(policy, queue, cyclic().combiner().allowance());
        moves.addAll(migration.start(latecomers.waiting(), latecomers::started));
        moves.addAll(migration.save());
    }

    private Preemption preemption() {
        return Objects.requireNonNull(preemption);
    }

    private CyclicBatch cyclic() {
        return Objects.requireNonNull(cyclic);
    }

    /** The gangs in the order of the queue. */
    List<GangId> gangs() {
        return queue.stream().map(contender -> contender.gang.id()).toList();
    }

    /** What has been decided, every gang with a window or a reason. */
    Plan plan() {
        List<Planned> windows = new ArrayList<>();
        List<Pending> pending = new ArrayList<>(snapshot.held());
        Diagnosis diagnosis = new Diagnosis(snapshot, policy, bookings, queue, chains);
        chains.refused().forEach((gang, why) -> pending.add(new Pending(gang, why)));
        for (PlanningGang contender : queue) {
            Window before = contender.published();
            if (before != null && chainPromises.hasLost(contender) && !keeps(contender, before)) {
                broken.add(new BrokenPromise(contender.gang.id(), before, Cause.CHAIN, chains.delay(contender)));
                contender.breakPromise();
            } else if (before != null && !keeps(contender, before)) {
                broken.add(new BrokenPromise(
                        contender.gang.id(),
                        before,
                        Cause.POLICY,
                        "the policy plans promised windows again (promises.replan: free)"));
            }
            if (contender.window() != null) {
                windows.add(contender.planned(contender.window(), policy.slack()));
            } else {
                pending.add(new Pending(contender.gang.id(), diagnosis.why(contender)));
            }
        }
        for (Move move : moves) {
            Window to = Objects.requireNonNull(move.to());
            windows.add(new Planned(move.gang(), to, WindowOrigin.MIGRATION, false)
                    .withBy(policy.slack().promised(move.gang(), to)));
        }
        List<Move> all = Stream.concat(moves.stream(), preemption().moves().stream())
                .sorted(Comparator.comparing(move -> move.gang().id()))
                .toList();
        List<Planned> byStart = KeyOrder.of(
                windows,
                planned -> planned.window().start(),
                Comparator.comparing((Planned p) -> p.gang().id()));
        pending.sort(Comparator.comparing(Pending::gang));
        broken.sort(Comparator.comparing(BrokenPromise::gang));
        List<ChoiceExplanation> choices = cyclic().combiner().choices().stream()
                .filter(choice -> !preemption().displaced().contains(choice.gang())
                        && !withdrawn.contains(choice.gang())
                        && !remade.contains(choice.gang())
                        && !rearranged.contains(choice.gang()))
                .sorted(Comparator.comparing(ChoiceExplanation::gang))
                .toList();
        // A gang that was displaced since has another window, or none.
        List<DomainComparison> chosen = DomainComparison.inForce(domains, byStart);
        return new Plan(
                snapshot.now(), horizonEnd, byStart, pending, broken, notes(), choices, all, chosen, extent, List.of());
    }

    private List<String> notes() {
        if (policy.queue().goesByUse() && snapshot.cluster().isFree()) {
            notes.add("queue.order: fair counts processor time, a pod of any size alike, because no node has a price");
        }
        notes.addAll(cyclic().combiner().notes());
        if (exchange != null && exchange.bounded()) {
            notes.add(
                    "node exchanges were tried only for the first gangs in the queue: other gangs might start sooner");
        }
        if (cyclic().cut()) {
            notes.add("the search for more alternatives ended after %d slots (study.search-limit)"
                    .formatted(policy.batch().searchLimit()));
        }
        if (extent.stopped()) {
            notes.add("the search for more alternatives was stopped in round %d, after %d turns"
                    .formatted(extent.rounds(), extent.turns()));
        }
        cyclic().unserved()
                .forEach((why, gangs) -> notes.add("study.window-search: %s leaves %s to the exact search: %s"
                        .formatted(
                                policy.batch().searching().key(),
                                gangs.stream().map(GangId::toString).collect(Collectors.joining(", ")),
                                why)));
        queue.stream()
                .filter(PlanningGang::bounded)
                .map(contender -> contender.gang.id())
                .sorted()
                .forEach(gang -> notes.add(
                        "the search for a window of %s was bounded: there may be a better one".formatted(gang)));
        return notes;
    }

    private static boolean keeps(PlanningGang contender, Window before) {
        Window after = contender.window();
        return after != null
                && (contender.bound() == null
                        ? after.keeps(before, contender.gang)
                        : contender.bound().holds(after));
    }
}
