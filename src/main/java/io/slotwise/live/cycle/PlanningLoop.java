package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.reservation.ReservationAssignments;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.work.Isolated;
import io.slotwise.core.work.StopSignal;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.ClusterView.Intaken;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import io.slotwise.random.SeededRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cycle, in eight numbered steps. It observes the cluster, settles what became of the gangs, accounts for their
 * costs, and takes the snapshot. Then it matches the promises, plans, judges the effects on each gang, and publishes
 * the changes. All state between two cycles is in the records, so any replica can continue where another one stopped.
 * Called by one thread, one cycle at a time.
 */
public final class PlanningLoop {
    /** The pause before the API server is asked again for the outcome of a write. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final CurrentSettings current;
    private final InstantSource clock;
    private final Leadership leadership;
    private final ClusterView view;
    private final PlanPublisher publisher;
    private final MetricsRecorder recorder;
    private final GangStarter starter;
    private final SettlingGangs gangs;
    private final RecentPromises recent = new RecentPromises();
    private final PlanningErrors errors = new PlanningErrors();
    private final ReasonRefresh refresh = new ReasonRefresh();
    private final ImprovementPace pace = new ImprovementPace();
    private final NodePurchases purchases;

    private long leadingSince;
    private boolean lookedBefore;
    /** The run histories of the last cycle, by namespace. */
    private Map<String, RunHistory> histories = Map.of();

    private boolean behind;
    private @Nullable Planner planner;

    private volatile @Nullable Latest latest;

    /** The ports of the loop. */
    public record Ports(
            Leadership leadership,
            ClusterView view,
            PlanPublisher publisher,
            MetricsRecorder recorder,
            NodeSupplier supplier) {}

    /** Creates a loop; {@code patience} is how long a gang waits before a record is written for it. */
    public PlanningLoop(
            CurrentSettings current, InstantSource clock, Ports ports, GangStarter starter, Duration patience) {
        this.current = current;
        this.clock = clock;
        this.leadership = ports.leadership();
        this.view = ports.view();
        this.publisher = ports.publisher();
        this.recorder = ports.recorder();
        this.purchases = new NodePurchases(ports.supplier(), ports.recorder());
        this.starter = starter;
        this.gangs = new SettlingGangs(patience);
    }

    /**
     * The last plan and its input.
     *
     * @param carriedOutPlan the same with the gangs in advance reservations, as it is shown and carried out
     */
    public record Latest(LoopSettings settings, Snapshot snapshot, Plan plan, Plan carriedOutPlan) {}

    /** Returns the last plan of this replica. Null before the first, and while another replica plans. */
    public @Nullable Latest latest() {
        return latest;
    }

    /**
     * Runs one cycle if this replica plans and has seen the cluster. Reads the latest settings in any case.
     *
     * @return whether nothing is outstanding: a cycle finished, or none was to be run
     */
    public boolean cycle() {
        LoopSettings settings = current.renewed();
        Leadership.Reign reign = leadership.reign();
        boolean leads = reign.getAsBoolean();
        if (!leads || !view.ready()) {
            // A leader that has not seen the cluster looks again soon: the last object to be read may change nothing.
            behind = leads;
            lookedBefore = false;
            latest = null;
            purchases.forget();
            publisher.forgetNotices();
            pace.forget();
            return true;
        }
        // Room of a write without an answer is not given away, and in an outdated view a running gang may look like one
        // that lost its pods.
        behind = !view.isCurrent() || !publisher.catchUp(view::record);
        if (behind) {
            return false;
        }
        run(settings, clock.instant(), reign);
        return true;
    }

    private void run(LoopSettings settings, Instant began, Leadership.Reign reign) {
        CycleFacts facts = observe(settings, began); // 1
        RecordUpdates updates = settle(facts); // 2
        LedgerUpdate update = account(facts, updates); // 3
        Intaken intaken = snapshot(facts, updates); // 4
        Agreed agreed = agree(intaken, facts, updates); // 5
        Latest latest = plan(agreed, update, facts, updates); // 6
        judge(latest, agreed.assignments(), facts, updates); // 7
        purchases.charge(updates, update, facts.now());
        publish(latest, agreed.intaken(), update, facts, updates, reign); // 8
        tell(latest, updates.after(), began);
    }

    /** 1 Observes the cluster, including the writes that were sent and not answered yet. */
    private CycleFacts observe(LoopSettings settings, Instant began) {
        if (!lookedBefore) {
            leadingSince = began.getEpochSecond();
        }
        errors.begin();
        recent.forgetOld(settings, began.getEpochSecond());
        // Taken first: an answer that comes meanwhile is then in the facts.
        Map<GangId, GangRecord> underway = publisher.underway().now();
        CycleFacts facts = CycleFacts.observed(settings, underway, view, starter, began);
        histories = facts.facts().histories();
        return facts;
    }

    /** 2 Settles what became of each gang since the last cycle. */
    private RecordUpdates settle(CycleFacts facts) {
        RecordUpdates updates = new Settlement(
                        new GangLifecycle(facts.settings(), new Seen()),
                        new MemberEnds(facts.now(), !lookedBefore),
                        new MemberSizes(view, facts.now()),
                        errors)
                .settle(facts);
        purchases.settle(updates, facts.now());
        return updates;
    }

    /** 3 Accounts for the costs of the gangs. */
    static LedgerUpdate account(CycleFacts facts, RecordUpdates updates) {
        LedgerUpdate update = LedgerUpdate.of(facts.facts(), updates.all(), facts.settings(), facts.now());
        update.unsettled()
                .forEach(
                        gang -> updates.put(RecordUpdate.frozen(updates.of(gang).before())));
        PlanningErrors.aside(
                "runs that are not paid for", () -> update.treatUnpaid(updates, facts.settings(), facts.now()));
        return update;
    }

    /** 4 Makes the planner's input from the whole cluster. */
    private Intaken snapshot(CycleFacts facts, RecordUpdates updates) {
        List<GangRecord> records = updates.forSnapshot();
        return view.take(facts.settings(), records, facts.now())
                .with(snapshot ->
                        purchases.on(snapshot, facts.settings().policy().provisioning(), records));
    }

    /**
     * The input that is planned.
     *
     * @param assignments the gangs in advance reservations, and the rest that is planned
     */
    private record Agreed(Intaken intaken, ReservationAssignments assignments) {}

    /**
     * 5 Matches promises and requests. If a released gang loses its promise, the snapshot is taken again, because less
     * was evaluated for it.
     */
    private Agreed agree(Intaken first, CycleFacts facts, RecordUpdates updates) {
        Agreement agreement = new Agreement(facts, starter::isStarting, recent, errors, starter::refusal);
        Intaken intaken = first;
        Snapshot agreedSnapshot = agreement.agree(intaken, updates);
        if (Agreement.isTakenBack(intaken, agreedSnapshot)) {
            intaken = snapshot(facts, updates);
            agreedSnapshot = agreement.agree(intaken, updates);
        }
        return new Agreed(
                intaken,
                assignments(agreedSnapshot, intaken, updates, facts.settings().policy()));
    }

    /** 6 Plans the rest, next to the gangs in advance reservations. */
    private Latest plan(Agreed agreed, LedgerUpdate update, CycleFacts facts, RecordUpdates updates) {
        LoopSettings settings = facts.settings();
        ReservationAssignments assignments = agreed.assignments();
        purchases.charge(updates, update, facts.now());
        Snapshot snapshot = charged(assignments.left(), update, updates, facts);
        starter.renew(snapshot);
        Planner planner = planner(settings.policy());
        StopSignal stop = settings.searchEnd(facts.began(), clock);
        Plan plan = pace.isDue(settings.policy(), snapshot, settings.cycle())
                ? planner.plan(snapshot, stop)
                : planner.planNewcomers(snapshot, stop);
        Latest latestCycle = new Latest(
                settings,
                snapshot.seeing(NodePurchases.bought(plan, settings.policy().provisioning())),
                plan,
                carriedOut(plan, assignments, purchases.notes(settings.policy().provisioning())));
        latest = latestCycle;
        errors.add(latestCycle.carriedOutPlan());
        return latestCycle;
    }

    /** 7 Applies the plan to each gang. */
    private void judge(Latest latest, ReservationAssignments assignments, CycleFacts facts, RecordUpdates updates) {
        LoopSettings settings = facts.settings();
        PromisedPrices prices = new PromisedPrices(latest.snapshot(), settings.policy());
        PlanOutcomes outcomes = new PlanOutcomes(
                facts.now(),
                prices,
                assignments,
                settings.currency(),
                publisher.news().known(refresh, facts.now()));
        new Judgement(outcomes, facts.facts(), facts.unreadable().keySet()).judge(latest.carriedOutPlan(), updates);
        recent.note(updates.all(), settings, facts.now());
        BypassCounts.keep(updates, settings.policy().queue().passingLimit());
    }

    /** 8 Writes and announces the changes. */
    private void publish(
            Latest latest,
            Intaken intaken,
            LedgerUpdate update,
            CycleFacts facts,
            RecordUpdates updates,
            Leadership.Reign reign) {
        LoopSettings settings = facts.settings();
        publisher.publish(new PlanPublisher.CycleChanges(
                gangs.withoutSettling(updates.all(), facts.began()),
                update.changes(),
                RuntimeLearning.of(
                        facts.facts(),
                        updates.all(),
                        settings.runtimePrediction(),
                        latest.snapshot().cluster()),
                latest.snapshot(),
                settings.policy().turnover(),
                facts.began(),
                reign,
                view::record));
        PlanningErrors.aside(
                "purchases of nodes",
                () -> purchases.carryOut(
                        NodePurchases.Known.of(view.records(), view.unreadable().isEmpty(), latest.plan()),
                        settings.policy().provisioning(),
                        reign,
                        facts.now()));
        List<ClusterView.Notice> notices = notices(intaken, facts);
        publisher.news().tell(notices, facts.now());
        recorder.noticed(notices);
        refresh.retain(facts.facts().records().keySet());
        lookedBefore = true;
    }

    /** Returns the gangs in advance reservations, and the rest that is to be planned. */
    private static ReservationAssignments assignments(
            Snapshot agreedSnapshot, Intaken intaken, RecordUpdates updates, Policy policy) {
        return ReservationAssignments.of(
                agreedSnapshot,
                intaken.names(),
                request -> updates.of(request.gang().id()).after().tariff(),
                policy.charge() == Policy.Charge.WHOLE_NODE);
    }

    static Snapshot charged(Snapshot left, LedgerUpdate update, RecordUpdates updates, CycleFacts facts) {
        Policy policy = facts.settings().policy();
        return left.withAccounts(update.accounts(left, updates.byGang(), policy.horizon()))
                .withUsed(update.used(policy.queue(), facts.now(), UseUnit.in(left.cluster())))
                .withUses(facts.facts().uses(policy));
    }

    private Plan carriedOut(Plan plan, ReservationAssignments assignments, List<String> notes) {
        Latest before = latest;
        Plan wholePlan = assignments.carriedOut(before == null ? plan : plan.after(before.carriedOutPlan()));
        return wholePlan.buying(wholePlan.buying(), notes);
    }

    private void tell(Latest latest, List<GangRecord> records, Instant began) {
        Duration took = Duration.between(began, clock.instant());
        PlanningErrors.aside(
                "why gangs wait",
                () -> publisher.explain(records, latest.snapshot().now()));
        PlanningErrors.aside(
                "the figures of the cycle", () -> recorder.cycle(took, latest.snapshot(), latest.plan(), records));
    }

    /** Returns the latest instant of the next cycle, or null. */
    public @Nullable Instant deadline() {
        if (behind) {
            return clock.instant().plus(ASK_AGAIN);
        }
        GangLifecycle gangLifecycle = new GangLifecycle(current.get(), new Seen());
        Collection<GangRecord> records = view.records();
        AdvanceReservationLifecycle reservationLifecycle = new AdvanceReservationLifecycle(
                current.get(), records, record -> GangLifecycle.isWhole(record, view.members(record)));
        long now = clock.instant().getEpochSecond();
        // The cycle itself reports gangs whose deadline cannot be computed.
        Stream<Instant> deadlines = records.stream()
                .flatMap(record -> Isolated.get(
                        () -> deadline(record, reservationLifecycle, gangLifecycle, now),
                        _ -> Optional.<Instant>empty())
                        .stream())
                .filter(deadline -> deadline.getEpochSecond() > now);
        OptionalLong purchase = purchases.deadline(records, now);
        return Stream.of(
                        deadlines,
                        Stream.ofNullable(gangs.deadline()),
                        purchase.stream().mapToObj(Instant::ofEpochSecond))
                .flatMap(Function.identity())
                .min(Instant::compareTo)
                .orElse(null);
    }

    private static Optional<Instant> deadline(
            GangRecord record,
            AdvanceReservationLifecycle reservationLifecycle,
            GangLifecycle gangLifecycle,
            long now) {
        OptionalLong second = record.ownership().isHeld()
                ? reservationLifecycle.deadline(record)
                : gangLifecycle.deadline(record, now);
        return second.isPresent() ? Optional.of(Instant.ofEpochSecond(second.getAsLong())) : Optional.empty();
    }

    private List<ClusterView.Notice> notices(Intaken intaken, CycleFacts facts) {
        List<ClusterView.Notice> notices = new ArrayList<>(intaken.notices());
        notices.addAll(errors.notices());
        new TreeMap<>(facts.unreadable()).forEach((gang, problem) -> notices.add(PlanningErrors.unread(gang, problem)));
        return notices;
    }

    /** The inputs of {@link GangLifecycle} in this replica. */
    private final class Seen implements GangLifecycle.Surroundings {
        @Override
        public ClusterView view() {
            return view;
        }

        @Override
        public Map<String, RunHistory> histories() {
            return histories;
        }

        @Override
        public boolean isStarting(GangRecord record) {
            return starter.isStarting(record);
        }

        @Override
        public boolean hasQueueRoom(GangRecord record) {
            return starter.hasQueueRoom(record);
        }

        @Override
        public @Nullable String refusal(GangId gang, List<String> pods) {
            return starter.refusal(gang, pods, false);
        }

        @Override
        public long leadingSince() {
            return leadingSince;
        }

        @Override
        public boolean isKept(GangId gang) {
            return publisher.isKept(gang);
        }
    }

    /** Returns the last cycle's planner if the policy is the same: it caches data about nodes. */
    private Planner planner(Policy policy) {
        Planner knownPlanner = planner;
        if (knownPlanner == null || !knownPlanner.policy().equals(policy)) {
            knownPlanner =
                    new Planner(policy, new PlannerResources(CommonPoolWorkers.ALL, SeededRandom.L64X128, recorder));
            planner = knownPlanner;
        }
        return knownPlanner;
    }
}
