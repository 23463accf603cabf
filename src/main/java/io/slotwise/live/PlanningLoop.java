package io.slotwise.live;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.Arrivals;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Means;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Planner;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Remembered;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.recall.Memory;
import io.slotwise.core.reservation.Takeovers;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.ClusterView.Intaken;
import io.slotwise.random.SeededDraws;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cycle: it looks at the cluster, plans, and publishes what changed. All that it knows between two cycles is in the
 * registry, so any replica can go on from where another one stopped. One thread calls it; a cycle never runs twice at once.
 */
public final class PlanningLoop {
    /** When the API server is asked again what became of a write. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final CurrentSettings current;
    private final InstantSource clock;
    private final Leadership leading;
    private final ClusterView view;
    private final Publication publication;
    private final Recorder recorder;
    private final GangStarter starter;
    private final Newcomers newcomers;
    private final Starts starts = new Starts();
    /** When promises were given by this replica that are fresh, seconds since the epoch. */
    private final Map<GangId, Long> given = new HashMap<>();

    private final Failures failures = new Failures();

    private long leadingSince;
    private boolean lookedBefore;
    private boolean behind;
    private @Nullable Planner planner;

    /** What the last cycle of this replica left to the next one. */
    private Memory memory = Memory.NOTHING;

    private volatile @Nullable Latest latest;

    /**
     * A loop.
     *
     * @param leading whether this replica plans
     * @param starter of gangs whose second has come
     * @param patience how long a gang waits before a record says that it does
     */
    public PlanningLoop(
            CurrentSettings current,
            InstantSource clock,
            Leadership leading,
            ClusterView view,
            Publication publication,
            Recorder recorder,
            GangStarter starter,
            Duration patience) {
        this.starter = starter;
        this.newcomers = new Newcomers(patience);
        this.current = current;
        this.clock = clock;
        this.leading = leading;
        this.view = view;
        this.publication = publication;
        this.recorder = recorder;
    }

    /**
     * The last plan and what it was made of.
     *
     * @param settings that it was made by
     * @param snapshot the input
     * @param plan the planner's answer
     * @param carriedOut the same with the gangs that sit in advance reservations, as it is shown and carried out
     */
    public record Latest(Settings settings, Snapshot snapshot, Plan plan, Plan carriedOut) {}

    /** What was planned last by this replica; null: nothing yet, or another one plans now. */
    public @Nullable Latest latest() {
        return latest;
    }

    /**
     * Runs one cycle, if this replica plans and has seen the cluster. Either way it goes by what the admin has written last.
     *
     * @return whether nothing is owed: a cycle has come to its end, or none was to be run
     */
    public boolean cycle() {
        Settings settings = current.renewed();
        Leadership.Reign reign = leading.reign();
        if (!reign.getAsBoolean() || !view.ready()) {
            lookedBefore = false;
            latest = null;
            memory = Memory.NOTHING;
            return true;
        }
        // Room that a write without an answer may have taken is not to be given away, and by an old picture a gang that
        // runs may look like one that lost its pods.
        behind = !view.isCurrent() || !publication.isKnown();
        if (behind) {
            return false;
        }
        Instant began = clock.instant();
        long now = began.getEpochSecond();

        if (!lookedBefore) {
            leadingSince = now;
        }

        failures.begin();

        // 1 What is there, with what was sent and not answered yet.
        Scene scene = scene(settings, began);
        given.values().removeIf(second -> scene.now() >= second + settings.cycle());

        // 2 The plan.
        Input input = input(scene);
        SortedMap<GangId, Draft> drafts = input.drafts();
        Snapshot snapshot = input.snapshot();
        Remembered planned = input.planner().plan(snapshot, settings.searchEnd(began, clock), memory);
        memory = planned.memory();
        Plan plan = planned.plan();
        Takeovers takeovers = input.takeovers();
        Latest before = latest;
        Plan carriedOut = takeovers.carriedOut(before == null ? plan : plan.after(before.carriedOut()));
        latest = new Latest(settings, snapshot, plan, carriedOut);
        failures.add(carriedOut);

        // 3 What it means for each gang, written where it is new.
        PromisedPrices prices = new PromisedPrices(snapshot, settings.policy());
        judge(
                carriedOut,
                drafts,
                scene.facts(),
                new Verdicts(now, prices, takeovers, settings.currency(), !lookedBefore));
        rememberGiven(drafts.values(), settings, now);
        keepPassed(drafts.values(), settings.policy().queue().passingLimit());
        publication.publish(new Publication.Edition(
                newcomers.withoutThese(drafts.values(), began),
                input.books().changes(),
                Learning.of(scene.facts(), drafts.values(), settings.runtimePrediction(), snapshot.cluster()),
                snapshot,
                settings.policy().turnover(),
                began,
                reign));
        List<ClusterView.Notice> notices = notices(input, scene);
        publication.notices(notices, now);
        recorder.noticed(notices);
        starts.retain(scene.facts().standings().values());
        lookedBefore = true;

        Duration took = Duration.between(began, clock.instant());
        List<Standing> standings = drafts.values().stream()
                .filter(d -> !d.gone())
                .map(Draft::after)
                .toList();
        Failures.aside("why gangs wait", () -> publication.explain(standings, now));
        Failures.aside("the figures of the cycle", () -> recorder.cycle(took, snapshot, plan, standings));
        return true;
    }

    /** The earliest instant at which a cycle is needed whatever happens, or null. */
    public @Nullable Instant deadline() {
        if (behind) {
            return clock.instant().plus(ASK_AGAIN);
        }
        LifeCycle lifeCycle = lifeCycle(current.get());
        Collection<Standing> standings = view.standings();
        HoldLife holdLife =
                new HoldLife(current.get(), standings, standing -> isWhole(standing, view.members(standing)));
        long now = clock.instant().getEpochSecond();
        // Of one whose next second cannot be told the cycle says why.
        Stream<Instant> deadlines = standings.stream()
                .flatMap(standing ->
                        Isolated.get(() -> deadline(standing, holdLife, lifeCycle, now), _ -> Optional.<Instant>empty())
                                .stream())
                .filter(deadline -> deadline.getEpochSecond() > now);
        return Stream.concat(deadlines, Stream.ofNullable(newcomers.deadline()))
                .min(Instant::compareTo)
                .orElse(null);
    }

    private static Optional<Instant> deadline(Standing standing, HoldLife holdLife, LifeCycle lifeCycle, long now) {
        OptionalLong second =
                standing.tenure().isHeld() ? holdLife.deadline(standing) : lifeCycle.deadline(standing, now);
        return second.isPresent() ? Optional.of(Instant.ofEpochSecond(second.getAsLong())) : Optional.empty();
    }

    private static boolean isWhole(Standing standing, List<Member> members) {
        return LifeCycle.isRecorded(standing)
                || members.stream().noneMatch(member -> member.state() == Member.State.WAITING);
    }

    /**
     * What a cycle goes by from its beginning to its end.
     *
     * @param facts of the cluster
     * @param frozen the gangs that it leaves as they are
     * @param unreadable the gangs whose records cannot be read, and why; they are among these
     * @param began when it began
     */
    private record Scene(
            Settings settings, Facts facts, Set<GangId> frozen, Map<GangId, String> unreadable, Instant began) {
        /** The second in which it began. */
        long now() {
            return began.getEpochSecond();
        }
    }

    /** The planner's input, made from the whole cluster: every further plan of the cycle is made of it. */
    private record Input(
            Planner planner,
            SortedMap<GangId, Draft> drafts,
            Snapshot snapshot,
            Takeovers takeovers,
            Bookkeeping books,
            List<ClusterView.Notice> notices) {}

    private Scene scene(Settings settings, Instant began) {
        // First what is underway: what is answered meanwhile is then in the facts.
        Map<GangId, Standing> underway = publication.underway().now();
        Facts facts = Underway.on(view.facts(), underway, starter, view);
        Set<GangId> frozen = Underway.frozen(facts, underway, starter);
        Map<GangId, String> unreadable = view.unreadable();
        frozen.addAll(unreadable.keySet());
        return new Scene(settings, facts, frozen, unreadable, began);
    }

    /** What an admin should be told: of objects, of gangs over which there was an error, and of records. */
    private List<ClusterView.Notice> notices(Input input, Scene scene) {
        List<ClusterView.Notice> notices = new ArrayList<>(input.notices());
        notices.addAll(failures.notices());
        new TreeMap<>(scene.unreadable()).forEach((gang, problem) -> notices.add(Failures.unread(gang, problem)));
        return notices;
    }

    private Input input(Scene scene) {
        long now = scene.now();
        Settings settings = scene.settings();
        SortedMap<GangId, Draft> drafts = settle(scene);
        Bookkeeping books = Bookkeeping.of(scene.facts(), drafts.values(), settings, now);
        Intaken intaken = view.take(settings, standing(drafts, now), now);
        Snapshot agreed = agree(intaken, drafts, scene);
        if (isTakenBack(intaken, agreed)) {
            intaken = view.take(settings, standing(drafts, now), now);
            agreed = agree(intaken, drafts, scene);
        }
        Takeovers takeovers = Takeovers.of(
                agreed,
                intaken.claims(),
                hold -> draft(drafts, hold.gang().id(), now).after().tariff(),
                settings.policy().charge() == Policy.Charge.WHOLE_NODE);
        Snapshot left = takeovers.left();
        Snapshot snapshot = left.charging(
                        books.accounts(left, drafts, settings.policy().horizon()))
                .withUsed(books.used(settings.policy().queue(), now));
        return new Input(planner(settings.policy()), drafts, snapshot, takeovers, books, intaken.notices());
    }

    private LifeCycle lifeCycle(Settings settings) {
        return new LifeCycle(
                settings,
                new LifeCycle.Surroundings(
                        window -> view.hasRoom(window, List.of()),
                        standing -> starter.isStarting(standing) || starter.isInTurn(standing),
                        starts,
                        view::remade,
                        leadingSince,
                        view::nodeUid,
                        publication::isKept));
    }

    /** The planner of the last cycle if the policy is the same: it knows the nodes. */
    private Planner planner(Policy policy) {
        Planner known = planner;
        if (known == null || !known.policy().equals(policy)) {
            known = new Planner(policy, new Means(Processors.ALL, SeededDraws.L64X128, recorder));
            planner = known;
        }
        return known;
    }

    private SortedMap<GangId, Draft> settle(Scene scene) {
        long now = scene.now();
        Facts facts = scene.facts();
        LifeCycle lifeCycle = lifeCycle(scene.settings());
        HoldLife holdLife = new HoldLife(
                scene.settings(),
                facts.standings().values(),
                // A guest whose pods cannot be told keeps its part.
                standing -> Isolated.get(() -> isWhole(standing, facts.membersOf(standing.gang())), _ -> false));
        SortedMap<GangId, Draft> drafts = new TreeMap<>();
        Ends ends = new Ends(now, !lookedBefore);
        Set<String> accounted = facts.accounted(scene.settings().policy());
        boolean restarts = scene.settings().memberLoss() == Settings.MemberLoss.RESTART;
        facts.standings().forEach((gang, standing) -> {
            if (scene.frozen().contains(gang)) {
                drafts.put(gang, Draft.frozen(standing));
                return;
            }
            drafts.put(
                    gang,
                    Isolated.get(
                            () -> {
                                Draft draft = new Draft(standing);
                                if (standing.tenure().isHeld()) {
                                    holdLife.settle(draft, now);
                                } else {
                                    lifeCycle.settle(draft, facts.membersOf(gang), now);
                                }
                                if (restarts || accounted.contains(gang.namespace())) {
                                    ends.note(draft, facts.membersOf(gang));
                                }
                                return draft;
                            },
                            error -> {
                                failures.add(gang, "settled", error);
                                return Draft.untouched(standing);
                            }));
        });
        scene.unreadable()
                .keySet()
                .forEach(gang -> drafts.computeIfAbsent(gang, id -> Draft.frozen(Standing.first(id, now))));
        return drafts;
    }

    /**
     * The standings as the snapshot needs them: a window whose second has come stays where it is, and so does what is being written, an
     * advance reservation, which people count on, and the part of it that a gang has.
     */
    private static List<Standing> standing(SortedMap<GangId, Draft> drafts, long now) {
        List<Standing> standings = new ArrayList<>();
        for (Draft draft : drafts.values()) {
            Standing standing = draft.after();
            Promise promise = standing.promise();
            if (draft.gone()) {
                continue;
            }
            boolean released = promise != null
                    && (standing.phase() != Phase.PROMISED
                            || draft.isFrozen()
                            || promise.window().start() <= now
                            || !standing.tenure().equals(Tenure.own()));
            standings.add(promise == null ? standing : standing.with(promise.released(released)));
        }
        return standings;
    }

    /** Whether a promise was dropped of a gang on its way, of which less was read than of one that waits: what its claims allow was left to kube-scheduler. */
    private static boolean isTakenBack(Intaken intaken, Snapshot agreed) {
        Set<GangId> onTheirWay = new HashSet<>();
        intaken.snapshot().requests().forEach(request -> {
            if (request.promise() != null && request.promise().released()) {
                onTheirWay.add(request.gang().id());
            }
        });
        return agreed.requests().stream()
                .anyMatch(request -> request.promise() == null
                        && onTheirWay.contains(request.gang().id()));
    }

    /** Compares every promise with what its gang asks for now, and drops those that it no longer answers to. */
    private Snapshot agree(Intaken intaken, SortedMap<GangId, Draft> drafts, Scene scene) {
        long now = scene.now();
        Snapshot snapshot = intaken.snapshot();
        Arrivals promised = everPromised(drafts.values().stream());
        List<Request> requests = new ArrayList<>();
        List<Pending> held = new ArrayList<>(snapshot.held());
        Set<GangId> starting = podsOfStarting(scene.facts());
        for (Request request : snapshot.requests()) {
            GangId gang = request.gang().id();
            if (!scene.facts().standings().containsKey(gang) && isReplacement(request.gang(), starting)) {
                continue;
            }
            Draft draft = drafts.computeIfAbsent(gang, id -> new Draft(Standing.first(id, now)));
            Request agreed = draft.isFrozen()
                    ? asItStands(request, draft)
                    : Isolated.get(() -> agreed(request, draft, promised, intaken, scene), error -> {
                        failures.add(gang, "compared with its promise", error);
                        Draft untouched = Draft.untouched(draft.before());
                        drafts.put(gang, untouched);
                        return asItStands(request, untouched);
                    });
            Refusal why = agreed.promise() == null ? refusal(gang, draft, scene) : null;
            if (why == null) {
                requests.add(agreed);
            } else {
                held.add(new Pending(gang, why));
            }
        }
        return snapshot.with(requests).holding(held);
    }

    private static Request asItStands(Request request, Draft draft) {
        return new Request(
                request.gang(), request.promise(), draft.after().history().passed());
    }

    /**
     * Why a gang without a promise has no part in the plan: there is an error over it, its record cannot be read, or it was refused again and again. Null: it
     * has one.
     */
    private @Nullable Refusal refusal(GangId gang, Draft draft, Scene scene) {
        Refusal failed = failures.of(gang);
        String unreadable = scene.unreadable().get(gang);
        if (failed != null) {
            return failed;
        }
        if (unreadable != null) {
            return new Refusal.InvalidRequest(unreadable);
        }
        Standing standing = draft.after();
        LastRefusal last = standing.history().lastRefusal();
        OptionalLong paused = LifeCycle.pauseEnd(standing);
        return last != null && paused.isPresent() && paused.getAsLong() > scene.now()
                ? new Refusal.BackingOff(standing.history().attempts(), paused.getAsLong(), last.message())
                : null;
    }

    private Request agreed(Request request, Draft draft, Arrivals promised, Intaken intaken, Scene scene) {
        long now = scene.now();
        Gang gang = request.gang();
        Promise promise =
                request.promise() == null ? null : request.promise().reseated(gang.pods());
        String contradiction = promise == null
                ? null
                : Promises.contradiction(
                        gang, draft.after(), promise, intaken.claims().named().get(gang.id()));
        if (contradiction != null) {
            draft.breakPromise(Cause.EDITED, contradiction, now);
            promise = null;
        }
        if (promise != null) {
            draft.become(draft.after().with(asKept(draft.after(), promise)));
        }
        RuntimeSource source =
                intaken.sources().getOrDefault(gang.id(), draft.after().terms().source());
        draft.become(draft.after().with(Terms.of(gang).from(source)));
        Standing standing = draft.after();
        boolean asleep = isAsleep(standing, promise, scene.facts().membersOf(gang.id()), now);
        return new Request(
                asleep ? gang.startingFrom(Math.max(gang.earliestStart(), now + Retries.AWAKE.toSeconds())) : gang,
                promise,
                standing.history().passed() + promised.passed(standing.arrival()),
                promise != null && given.containsKey(gang.id()));
    }

    /** The places of gangs whose members are being bound at this moment, by pod. */
    private Set<GangId> podsOfStarting(Facts facts) {
        Set<GangId> pods = new HashSet<>();
        facts.standings().forEach((gang, standing) -> {
            Promise promise = standing.promise();
            if (promise != null && standing.phase() == Phase.RUNNING && starter.isStarting(standing)) {
                promise.window().pods().forEach(pod -> pods.add(new GangId(gang.namespace(), pod)));
            }
        });
        return pods;
    }

    /** Whether its pod was made in place of one that went while its gang is being started: that start is taken back, and then it is a member again. */
    private static boolean isReplacement(Gang gang, Set<GangId> starting) {
        return !starting.isEmpty()
                && gang.pods().stream()
                        .allMatch(pod -> starting.contains(new GangId(gang.id().namespace(), pod)));
    }

    /** Whether kube-scheduler may not look at some of the pods for a while, so that a sooner start could not be kept. */
    private static boolean isAsleep(Standing standing, @Nullable Promise promise, List<Member> members, long now) {
        boolean far = promise == null
                ? standing.history().attempts() > 0
                : promise.window().start() > now + Retries.FAR.toSeconds();
        return far && members.stream().anyMatch(member -> member.state() == Member.State.WAITING && !member.gated());
    }

    /** Each change of a promise is some writes, and in a queue of short gangs every end would move every promise by a little. */
    private void rememberGiven(Collection<Draft> drafts, Settings settings, long now) {
        if (settings.policy().replanGain() == 0) {
            return;
        }
        for (Draft draft : drafts) {
            Promise promise = draft.after().promise();
            Promise before = draft.before().promise();
            boolean isNew = promise != null
                    && (before == null || !before.window().equals(promise.window()))
                    && promise.window().start() > now;
            if (isNew) {
                given.put(draft.before().gang(), now);
            }
        }
    }

    /** Those of the gangs that were ever promised a window. */
    private static Arrivals everPromised(Stream<Draft> drafts) {
        return new Arrivals(drafts.map(Draft::before)
                .filter(standing -> standing.history().promisedStart().isPresent())
                .map(Standing::arrival)
                .toList());
    }

    /**
     * Gangs that wait count those that have passed them by their records; of records that go the number is kept. So nothing is written
     * while others pass, and whoever plans next comes to the same number. None is counted beyond {@code limit}: it is served first then
     * anyway, and among gangs that come and go all the time each would be a write for every gang that waits.
     */
    private static void keepPassed(Collection<Draft> drafts, int limit) {
        Arrivals going = everPromised(drafts.stream().filter(Draft::gone));
        for (Draft draft : drafts) {
            Standing standing = draft.after();
            if (!draft.gone() && !draft.isFrozen() && standing.promise() == null && standing.phase() == Phase.PENDING) {
                int passed = Math.min(
                        going.passed(standing.arrival()),
                        limit - standing.history().passed());
                if (passed > 0) {
                    draft.become(standing.with(standing.history().passedBy(passed)));
                }
            }
        }
    }

    /** The promise as the record keeps it: whether it is released follows from the phase. */
    private static Promise asKept(Standing standing, Promise promise) {
        Promise kept = standing.promise();
        return kept != null && kept.window().equals(promise.window()) ? kept : promise;
    }

    private void judge(Plan plan, SortedMap<GangId, Draft> drafts, Facts facts, Verdicts verdicts) {
        long now = plan.now();
        for (Move move : plan.moves()) {
            GangId gang = move.gang().id();
            touch(drafts, gang, now, draft -> verdicts.moved(draft, move, facts.membersOf(gang)));
        }
        for (BrokenPromise broken : plan.broken()) {
            touch(drafts, broken.gang(), now, draft -> verdicts.broken(draft, broken));
        }
        for (Planned planned : plan.windows()) {
            touch(drafts, planned.gang().id(), now, draft -> verdicts.planned(draft, planned));
        }
        for (Pending pending : plan.pending()) {
            touch(drafts, pending.gang(), now, draft -> verdicts.pending(draft, pending));
        }
        forgetUnplanned(plan, drafts, verdicts.now());
    }

    /** A gang that waits is in every plan; one that is in none has no pod left that could start, unless some have to go first. */
    private static void forgetUnplanned(Plan plan, SortedMap<GangId, Draft> drafts, long now) {
        Set<GangId> planned = new HashSet<>();
        plan.windows().forEach(window -> planned.add(window.gang().id()));
        plan.pending().forEach(pending -> planned.add(pending.gang()));
        drafts.forEach((gang, draft) -> {
            boolean awaited = draft.after().history().awaitsPods(now);
            boolean held = draft.after().tenure().isHeld();
            boolean leaving = !draft.toEvict().isEmpty() || !draft.toStop().isEmpty();
            if (!held
                    && !draft.isFrozen()
                    && !draft.after().phase().started()
                    && !planned.contains(gang)
                    && !awaited
                    && !leaving) {
                draft.remove();
            }
        });
    }

    private void touch(SortedMap<GangId, Draft> drafts, GangId gang, long now, Consumer<Draft> verdict) {
        Draft draft = draft(drafts, gang, now);
        if (!draft.isFrozen()) {
            Isolated.run(() -> verdict.accept(draft), error -> {
                failures.add(gang, "judged", error);
                drafts.put(gang, Draft.frozen(draft.before()));
            });
        }
    }

    private static Draft draft(SortedMap<GangId, Draft> drafts, GangId gang, long now) {
        return drafts.computeIfAbsent(gang, id -> new Draft(Standing.first(id, now)));
    }
}
