package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.reservation.ReservationClaims;
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
import io.slotwise.live.start.ToldStarts;
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
 * The cycle, in eight numbered steps: it observes the cluster, settles what became of its gangs, accounts for what they
 * cost, takes the snapshot, agrees on the promises that stand, plans, judges what the plan means for each gang, and
 * publishes what changed. All that it knows between two cycles is in the registry, so any replica can go on from where
 * another one stopped. One thread calls it; a cycle never runs twice at once.
 */
public final class PlanningLoop {
    /** When the API server is asked again what became of a write. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final CurrentSettings current;
    private final InstantSource clock;
    private final Leadership leading;
    private final ClusterView view;
    private final PlanPublisher publication;
    private final MetricsRecorder recorder;
    private final GangStarter starter;
    private final SettlingGangs newcomers;
    private final ToldStarts starts = new ToldStarts();
    private final RecentPromises recent = new RecentPromises();
    private final PlanningErrors failures = new PlanningErrors();
    private final ReasonRefresh refresh = new ReasonRefresh();
    private final ImprovementPace pace = new ImprovementPace();
    private final NodePurchases purchases;

    private long leadingSince;
    private boolean lookedBefore;
    /** Past runs as the last cycle saw them, by namespace. */
    private Map<String, RunHistory> histories = Map.of();

    private boolean behind;
    private @Nullable Planner planner;

    private volatile @Nullable Latest latest;

    /**
     * Whom it talks to.
     *
     * @param leading whether this replica plans
     * @param view of the cluster
     * @param publication what is written and told
     * @param recorder what is counted
     * @param supplier of nodes that can be bought
     */
    public record Ports(
            Leadership leading,
            ClusterView view,
            PlanPublisher publication,
            MetricsRecorder recorder,
            NodeSupplier supplier) {}

    /**
     * A loop.
     *
     * @param starter of gangs whose second has come
     * @param patience how long a gang waits before a record says that it does
     */
    public PlanningLoop(
            CurrentSettings current, InstantSource clock, Ports ports, GangStarter starter, Duration patience) {
        this.current = current;
        this.clock = clock;
        this.leading = ports.leading();
        this.view = ports.view();
        this.publication = ports.publication();
        this.recorder = ports.recorder();
        this.purchases = new NodePurchases(ports.supplier(), ports.recorder());
        this.starter = starter;
        this.newcomers = new SettlingGangs(patience);
    }

    /**
     * The last plan and what it was made of.
     *
     * @param settings that it was made by
     * @param snapshot the input
     * @param plan the planner's answer
     * @param carriedOut the same with the gangs that sit in advance reservations, as it is shown and carried out
     */
    public record Latest(LoopSettings settings, Snapshot snapshot, Plan plan, Plan carriedOut) {}

    /** What was planned last by this replica; null: nothing yet, or another one plans now. */
    public @Nullable Latest latest() {
        return latest;
    }

    /**
     * Runs one cycle, if this replica plans and has seen the cluster. Either way it goes by what the admin has written
     * last.
     *
     * @return whether nothing is owed: a cycle has come to its end, or none was to be run
     */
    public boolean cycle() {
        LoopSettings settings = current.renewed();
        Leadership.Reign reign = leading.reign();
        boolean leads = reign.getAsBoolean();
        if (!leads || !view.ready()) {
            // A leader that has not seen the cluster yet looks again soon: the last thing to be read may change
            // nothing.
            behind = leads;
            lookedBefore = false;
            latest = null;
            purchases.forget();
            publication.forgetNotices();
            pace.forget();
            return true;
        }
        // Room that a write without an answer may have taken is not to be given away, and by an old picture a gang that
        // runs may look like one that lost its pods.
        behind = !view.isCurrent() || !publication.catchUp(view::standing);
        if (behind) {
            return false;
        }
        run(settings, clock.instant(), reign);
        return true;
    }

    private void run(LoopSettings settings, Instant began, Leadership.Reign reign) {
        CycleFacts scene = observe(settings, began); // 1
        RecordUpdates drafts = settle(scene); // 2
        LedgerUpdate books = account(scene, drafts); // 3
        Intaken intaken = snapshot(scene, drafts); // 4
        Agreed agreed = agree(intaken, scene, drafts); // 5
        Latest made = plan(agreed, books, scene, drafts); // 6
        judge(made, agreed.takeovers(), scene, drafts); // 7
        purchases.charge(drafts, books, scene.now());
        publish(made, agreed.intaken(), books, scene, drafts, reign); // 8
        tell(made, drafts.after(), began);
    }

    /** 1 What is there, with what was sent and not answered yet. */
    private CycleFacts observe(LoopSettings settings, Instant began) {
        if (!lookedBefore) {
            leadingSince = began.getEpochSecond();
        }
        failures.begin();
        recent.forgetOld(settings, began.getEpochSecond());
        // First what is underway: what is answered meanwhile is then in the facts.
        Map<GangId, GangRecord> underway = publication.underway().now();
        CycleFacts scene = CycleFacts.observed(settings, underway, view, starter, began);
        histories = scene.facts().histories();
        return scene;
    }

    /** 2 What became of each gang since the last cycle. */
    private RecordUpdates settle(CycleFacts scene) {
        RecordUpdates drafts = new Settlement(
                        new GangLifecycle(scene.settings(), new Seen()),
                        new MemberEnds(scene.now(), !lookedBefore),
                        failures)
                .settle(scene);
        purchases.settle(drafts, scene.now());
        return drafts;
    }

    /** 3 What the gangs have cost. */
    static LedgerUpdate account(CycleFacts scene, RecordUpdates drafts) {
        LedgerUpdate books = LedgerUpdate.of(scene.facts(), drafts.all(), scene.settings(), scene.now());
        books.unsettled()
                .forEach(gang -> drafts.put(RecordUpdate.frozen(drafts.of(gang).before())));
        PlanningErrors.aside(
                "runs that are not paid for", () -> books.treatUnpaid(drafts, scene.settings(), scene.now()));
        return books;
    }

    /** 4 The planner's input, made from the whole cluster. */
    private Intaken snapshot(CycleFacts scene, RecordUpdates drafts) {
        List<GangRecord> standings = drafts.forSnapshot();
        return view.take(scene.settings(), standings, scene.now())
                .with(snapshot ->
                        purchases.on(snapshot, scene.settings().policy().provisioning(), standings));
    }

    /**
     * What is planned.
     *
     * @param intaken what the snapshot was made of
     * @param takeovers the gangs that sit in advance reservations, and what is left to plan
     */
    private record Agreed(Intaken intaken, ReservationClaims takeovers) {}

    /**
     * 5 The promises that stand; where one fell of a gang on its way, of which less was read, the snapshot is taken
     * again.
     */
    private Agreed agree(Intaken first, CycleFacts scene, RecordUpdates drafts) {
        Agreement agreement = new Agreement(scene, starter::isStarting, recent, failures, starter::refusal);
        Intaken intaken = first;
        Snapshot agreed = agreement.agree(intaken, drafts);
        if (Agreement.isTakenBack(intaken, agreed)) {
            intaken = snapshot(scene, drafts);
            agreed = agreement.agree(intaken, drafts);
        }
        return new Agreed(
                intaken, takeovers(agreed, intaken, drafts, scene.settings().policy()));
    }

    /** 6 The plan of what is left, beside what sits in advance reservations. */
    private Latest plan(Agreed agreed, LedgerUpdate books, CycleFacts scene, RecordUpdates drafts) {
        LoopSettings settings = scene.settings();
        ReservationClaims takeovers = agreed.takeovers();
        purchases.charge(drafts, books, scene.now());
        Snapshot snapshot = charged(takeovers.left(), books, drafts, scene);
        Planner planning = planner(settings.policy());
        StopSignal stop = settings.searchEnd(scene.began(), clock);
        Plan planned = pace.isDue(settings.policy(), snapshot, settings.cycle())
                ? planning.plan(snapshot, stop)
                : planning.planNewcomers(snapshot, stop);
        Latest made = new Latest(
                settings,
                snapshot.seeing(NodePurchases.bought(planned, settings.policy().provisioning())),
                planned,
                carriedOut(planned, takeovers, purchases.notes(settings.policy().provisioning())));
        latest = made;
        failures.add(made.carriedOut());
        return made;
    }

    /** 7 What the plan means for each gang. */
    private void judge(Latest made, ReservationClaims takeovers, CycleFacts scene, RecordUpdates drafts) {
        LoopSettings settings = scene.settings();
        PromisedPrices prices = new PromisedPrices(made.snapshot(), settings.policy());
        PlanOutcomes verdicts = new PlanOutcomes(
                scene.now(),
                prices,
                takeovers,
                settings.currency(),
                publication.news().known(refresh, scene.now()));
        new Judgement(verdicts, scene.facts(), scene.unreadable().keySet()).judge(made.carriedOut(), drafts);
        recent.note(drafts.all(), settings, scene.now());
        PassedOver.keep(drafts, settings.policy().queue().passingLimit());
    }

    /** 8 What is new is written and told. */
    private void publish(
            Latest made,
            Intaken intaken,
            LedgerUpdate books,
            CycleFacts scene,
            RecordUpdates drafts,
            Leadership.Reign reign) {
        LoopSettings settings = scene.settings();
        publication.publish(new PlanPublisher.CycleChanges(
                newcomers.withoutThese(drafts.all(), scene.began()),
                books.changes(),
                RuntimeLearning.of(
                        scene.facts(),
                        drafts.all(),
                        settings.runtimePrediction(),
                        made.snapshot().cluster()),
                made.snapshot(),
                settings.policy().turnover(),
                scene.began(),
                reign,
                view::standing));
        PlanningErrors.aside(
                "purchases of nodes",
                () -> purchases.carryOut(
                        NodePurchases.Known.of(
                                view.standings(), view.unreadable().isEmpty(), made.plan()),
                        settings.policy().provisioning(),
                        reign,
                        scene.now()));
        List<ClusterView.Notice> notices = notices(intaken, scene);
        publication.news().tell(notices, scene.now());
        recorder.noticed(notices);
        starts.retain(scene.facts().standings().values());
        refresh.retain(scene.facts().standings().keySet());
        lookedBefore = true;
    }

    /** The gangs that sit in advance reservations, and what is left to plan. */
    private static ReservationClaims takeovers(Snapshot agreed, Intaken intaken, RecordUpdates drafts, Policy policy) {
        return ReservationClaims.of(
                agreed,
                intaken.claims(),
                hold -> drafts.of(hold.gang().id()).after().tariff(),
                policy.charge() == Policy.Charge.WHOLE_NODE);
    }

    /** The snapshot with what namespaces have left and have used. */
    static Snapshot charged(Snapshot left, LedgerUpdate books, RecordUpdates drafts, CycleFacts scene) {
        Policy policy = scene.settings().policy();
        return left.withAccounts(books.accounts(left, drafts.byGang(), policy.horizon()))
                .withUsed(books.used(policy.queue(), scene.now(), UseUnit.in(left.cluster())))
                .withUses(scene.facts().uses(policy));
    }

    /** The plan as it is shown and carried out. */
    private Plan carriedOut(Plan plan, ReservationClaims takeovers, List<String> notes) {
        Latest before = latest;
        Plan whole = takeovers.carriedOut(before == null ? plan : plan.after(before.carriedOut()));
        return whole.buying(whole.buying(), notes);
    }

    /** Tells why gangs wait, and counts. */
    private void tell(Latest made, List<GangRecord> standings, Instant began) {
        Duration took = Duration.between(began, clock.instant());
        PlanningErrors.aside(
                "why gangs wait",
                () -> publication.explain(standings, made.snapshot().now()));
        PlanningErrors.aside(
                "the figures of the cycle", () -> recorder.cycle(took, made.snapshot(), made.plan(), standings));
    }

    /** The earliest instant at which a cycle is needed whatever happens, or null. */
    public @Nullable Instant deadline() {
        if (behind) {
            return clock.instant().plus(ASK_AGAIN);
        }
        GangLifecycle lifeCycle = new GangLifecycle(current.get(), new Seen());
        Collection<GangRecord> standings = view.standings();
        AdvanceReservationLifecycle holdLife = new AdvanceReservationLifecycle(
                current.get(), standings, standing -> GangLifecycle.isWhole(standing, view.members(standing)));
        long now = clock.instant().getEpochSecond();
        // Of one whose next second cannot be told the cycle says why.
        Stream<Instant> deadlines = standings.stream()
                .flatMap(standing ->
                        Isolated.get(() -> deadline(standing, holdLife, lifeCycle, now), _ -> Optional.<Instant>empty())
                                .stream())
                .filter(deadline -> deadline.getEpochSecond() > now);
        OptionalLong purchase = purchases.deadline(standings, now);
        return Stream.of(
                        deadlines,
                        Stream.ofNullable(newcomers.deadline()),
                        purchase.stream().mapToObj(Instant::ofEpochSecond))
                .flatMap(Function.identity())
                .min(Instant::compareTo)
                .orElse(null);
    }

    private static Optional<Instant> deadline(
            GangRecord standing, AdvanceReservationLifecycle holdLife, GangLifecycle lifeCycle, long now) {
        OptionalLong second =
                standing.tenure().isHeld() ? holdLife.deadline(standing) : lifeCycle.deadline(standing, now);
        return second.isPresent() ? Optional.of(Instant.ofEpochSecond(second.getAsLong())) : Optional.empty();
    }

    /** What an admin should be told: of objects, of gangs over which there was an error, and of records. */
    private List<ClusterView.Notice> notices(Intaken intaken, CycleFacts scene) {
        List<ClusterView.Notice> notices = new ArrayList<>(intaken.notices());
        notices.addAll(failures.notices());
        new TreeMap<>(scene.unreadable()).forEach((gang, problem) -> notices.add(PlanningErrors.unread(gang, problem)));
        return notices;
    }

    /** What the life of gangs goes by, as this replica sees it. */
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
            return starter.isStarting(record) || starter.isInTurn(record);
        }

        @Override
        public @Nullable String refusal(GangId gang, List<String> pods) {
            return starter.refusal(gang, pods, false);
        }

        @Override
        public ToldStarts starts() {
            return starts;
        }

        @Override
        public long leadingSince() {
            return leadingSince;
        }

        @Override
        public boolean isKept(GangId gang) {
            return publication.isKept(gang);
        }
    }

    /** The planner of the last cycle if the policy is the same: it knows the nodes. */
    private Planner planner(Policy policy) {
        Planner known = planner;
        if (known == null || !known.policy().equals(policy)) {
            known = new Planner(policy, new PlannerResources(CommonPoolWorkers.ALL, SeededRandom.L64X128, recorder));
            planner = known;
        }
        return known;
    }
}
