package io.slotwise.live.start;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.DirectStarter;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.RecordStore.Outcome;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RunId;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Starts gangs when their windows begin. A gang that Slotwise binds itself goes to the {@link DirectStarter}. For a
 * gang with members that need kube-scheduler the record is written first ({@code Promised} to {@code Starting}, naming
 * the version that was read). Then these members are sent to kube-scheduler, and the barrier waits for them. A cycle
 * that moves the window at the same moment and this start cannot both succeed.
 */
public final class GangStarter {
    private static final Logger LOG = Logger.getLogger(GangStarter.class);
    private static final Duration AGAIN = Duration.ofMillis(100);

    private static final Comparator<GangRecord> IN_ORDER_OF_STARTS = Comparator.comparingLong(
                    (GangRecord record) -> record.windowStart().orElseThrow())
            .thenComparing(GangRecord::gang);

    /**
     * The time before their start at which pods are sent to kube-scheduler if their room is free: they wait at the
     * barrier.
     */
    public static final Duration HEAD_START = Duration.ofSeconds(2);

    private final CurrentSettings current;
    private final Leadership leadership;
    private final ClusterView view;
    private final RecordStore records;
    private final PodReleaser releaser;
    private final DirectStarter starter;
    private final InstantSource clock;
    private final Executor writers;
    private final Set<GangId> busy = ConcurrentHashMap.newKeySet();
    /** The gangs about which a cycle is writing something other than a start. */
    private final Set<GangId> written = ConcurrentHashMap.newKeySet();

    private final Map<GangId, String> sent = new ConcurrentHashMap<>();
    /**
     * The gangs that were promised a start at once and are not released yet, among those with members that go through
     * kube-scheduler.
     */
    private final Map<GangId, Turn> turns = new ConcurrentHashMap<>();
    /** The gangs that are due and wait for room or members. */
    private final Map<GangId, Shut> shut = new ConcurrentHashMap<>();
    /** The runs whose members were all seen on their nodes, which need no further look. */
    private final Set<RunId> whole = ConcurrentHashMap.newKeySet();

    private volatile @Nullable RecentTransit recent;

    /**
     * The ports of a starter.
     *
     * @param releaser sends pods to kube-scheduler
     * @param starter starts the gangs that Slotwise binds itself
     */
    public record Ports(ClusterView view, RecordStore records, PodReleaser releaser, DirectStarter starter) {}

    /**
     * The promise of a gang whose window had already begun when it was written.
     *
     * @param promisedRecord the record with the window, as it was written; its status is not written yet
     * @param since the second in which the write was durable, from which on a delay counts
     * @param epoch of the leader that wrote it
     */
    private record Turn(GangRecord promisedRecord, long since, long epoch) {
        boolean isFor(GangRecord record) {
            return record.phase() == Phase.PROMISED && record.windowStart().equals(promisedRecord.windowStart());
        }
    }

    /** A gang that was due and could not start. */
    private record Shut(String version, Instant seen) {
        /** Returns whether the gang need not be checked again yet: records change far more often than room. */
        boolean isFresh(GangRecord record, Instant now) {
            return record.version().equals(version) && seen.isBefore(now) && now.isBefore(seen.plus(AGAIN));
        }
    }

    /** The gangs on their way at one moment. */
    private record RecentTransit(WindowsInTransit transit, Instant seen) {
        boolean isFresh(Instant now) {
            return !now.isBefore(seen) && now.isBefore(seen.plus(AGAIN));
        }
    }

    /** A pass over all gangs. */
    private final class Pass {
        private final LoopSettings settings = current.get();
        private final Instant now;
        private final Leadership.Reign reign;
        private final Collection<GangRecord> records;
        private final AwaitedGangs awaited;
        private @Nullable WindowsInTransit transit;

        Pass(Instant now, Leadership.Reign reign, Collection<GangRecord> records) {
            this.now = now;
            this.reign = reign;
            this.records = records;
            this.awaited = new AwaitedGangs(records, view::members);
        }

        /** Returns the gangs on their way, which are determined at the first call. */
        WindowsInTransit transit() {
            WindowsInTransit windowsInTransit = transit;
            if (windowsInTransit == null) {
                windowsInTransit = inTransit(records);
                transit = windowsInTransit;
            }
            return windowsInTransit;
        }
    }

    /** Creates a starter; {@code writers} runs one task for each gang that goes through kube-scheduler. */
    public GangStarter(
            CurrentSettings current, Leadership leadership, Ports ports, InstantSource clock, Executor writers) {
        this.clock = clock;
        this.current = current;
        this.leadership = leadership;
        this.view = ports.view();
        this.records = ports.records();
        this.releaser = ports.releaser();
        this.starter = ports.starter();
        this.writers = writers;
    }

    /**
     * Starts every gang that is due at {@code now}, in the order of starts, and binds the last members of gangs that a
     * previous leader started. Nothing starts while the view of the cluster may be outdated. O(gangs), plus O(pods on
     * its nodes) for each gang that is due.
     *
     * @return the time at which to call again; null to wait for the next change of a record
     */
    public @Nullable Instant look(Instant now) {
        Leadership.Reign reign = leadership.reign();
        if (!reign.getAsBoolean() || !view.ready()) {
            return null;
        }
        if (!view.isCurrent()) {
            return now.plus(AGAIN);
        }
        Instant next = null;
        Pass pass = new Pass(now, reign, view.records());
        Set<GangId> released = new HashSet<>();
        Set<RunId> runs = new HashSet<>();
        List<GangRecord> waiting = new ArrayList<>();
        for (GangRecord record : pass.records) {
            if (record.phase() == Phase.RUNNING) {
                runs.add(RunId.of(record));
                Isolated.run(() -> complete(record), error -> failed(record, error));
            } else if (mayBeDue(record)) {
                waiting.add(record);
            }
        }
        waiting.sort(IN_ORDER_OF_STARTS);
        for (GangRecord record : waiting) {
            released.add(record.gang());
            Instant wanted = Isolated.get(() -> consider(record, pass), error -> {
                failed(record, error);
                return now.plus(Ticker.AFTER_FAILURE);
            });
            if (wanted != null && (next == null || wanted.isBefore(next))) {
                next = wanted;
            }
        }
        sent.keySet().retainAll(released);
        shut.keySet().retainAll(released);
        turns.values().removeIf(turn -> now.getEpochSecond() > turn.since() + pass.settings.tolerance());
        whole.retainAll(runs);
        return next;
    }

    private static void failed(GangRecord record, Throwable error) {
        LOG.errorf(error, "%s could not be started; retrying; other gangs are not affected", record.gang());
    }

    private static boolean mayBeDue(GangRecord record) {
        return (record.phase() == Phase.PROMISED || record.phase() == Phase.STARTING)
                && record.promise() != null
                && !record.ownership().isHeld();
    }

    /**
     * Returns whether a gang can start as soon as its window is written: the window has begun, and the complete gang
     * fits next to those on their way to its nodes.
     */
    public boolean isForNow(GangRecord record) {
        Promise promise = record.promise();
        return promise != null
                && record.phase() == Phase.PROMISED
                && !record.ownership().isHeld()
                && promise.window().start() <= clock.instant().getEpochSecond()
                && promise.window().placements().stream().map(Placement::node).allMatch(view::usable)
                && isWhole(promise.window(), view.members(record))
                && view.hasRoom(promise.window(), recentTransit().to(promise.window()));
    }

    /** Returns the gangs that were on their way a moment ago. O(gangs) at most ten times a second. */
    private WindowsInTransit recentTransit() {
        Instant now = clock.instant();
        RecentTransit knownTransit = recent;
        if (knownTransit == null || !knownTransit.isFresh(now)) {
            knownTransit = new RecentTransit(inTransit(view.records()), now);
            recent = knownTransit;
        }
        return knownTransit.transit();
    }

    private WindowsInTransit inTransit(Collection<GangRecord> records) {
        return new WindowsInTransit(records.stream()
                .filter(record -> record.phase() == Phase.STARTING || isArriving(record))
                .toList());
    }

    /**
     * Writes a window that begins now. A gang that Slotwise binds starts at once. Members that go through
     * kube-scheduler are released by the next {@code look}. The time that the write takes does not break the promise.
     */
    public Outcome now(GangRecord wantedRecord, long epoch, Supplier<Outcome> writeOutcome) {
        if (goesDirect(wantedRecord)) {
            Outcome outcome = writeOutcome.get();
            if (outcome instanceof Outcome.Written(GangRecord record)) {
                startNow(record);
            }
            return outcome;
        }
        return unstarted(wantedRecord.gang(), () -> {
            Outcome outcome = writeOutcome.get();
            if (outcome instanceof Outcome.Written(GangRecord record)) {
                turns.put(record.gang(), new Turn(record, clock.instant().getEpochSecond(), epoch));
            }
            return outcome;
        });
    }

    /** Starts a gang whose window was just written, and whose room the plan has checked. */
    public void startNow(GangRecord writtenRecord) {
        if (leadership.getAsBoolean() && view.isCurrent()) {
            starter.start(writtenRecord);
        }
    }

    /**
     * Performs a write of a cycle, during which the gang does not start. A record is written in two parts: a start in
     * between would lose the second, which says why an earlier promise was broken.
     */
    public Outcome unstarted(GangId gang, Supplier<Outcome> outcome) {
        written.add(gang);
        try {
            return outcome.get();
        } finally {
            written.remove(gang);
        }
    }

    /** Returns what keeps a gang from being bound in any window. Null if nothing does. */
    public @Nullable String refusal(GangId gang, Collection<String> pods, boolean tries) {
        return starter.refusal(gang, pods, tries);
    }

    /** Returns whether a gang is being started, so that a plan has to keep its window. */
    public boolean isStarting(GangRecord record) {
        return busy.contains(record.gang()) || starter.isStarting(record);
    }

    /**
     * Returns whether a gang that was promised a start at once may still be released. The tolerance for late starts
     * counts from the write of its promise.
     */
    public boolean isInTurn(GangRecord record) {
        Turn turn = turns.get(record.gang());
        return turn != null
                && turn.isFor(record)
                && turn.epoch() == leadership.epoch()
                && clock.instant().getEpochSecond()
                        <= turn.since() + current.get().tolerance();
    }

    /**
     * Returns the gang's complete record if only its window has been stored so far, without its status. Otherwise null.
     */
    private @Nullable GangRecord promised(GangRecord record) {
        Turn turn = turns.get(record.gang());
        return turn != null
                        && turn.isFor(record)
                        && turn.promisedRecord().version().equals(record.version())
                ? turn.promisedRecord()
                : null;
    }

    /**
     * Returns the complete records of those of these gangs that are about to be released and whose status is not stored
     * yet. O(gangs that are about to be released).
     */
    public List<GangRecord> promised(Map<GangId, GangRecord> records) {
        return turns.keySet().stream()
                .flatMap(gang -> Stream.ofNullable(records.get(gang)))
                .flatMap(record -> Stream.ofNullable(promised(record)))
                .toList();
    }

    /** Starts one gang if it is due and can start. Returns when to look at it again, or null. */
    private @Nullable Instant consider(GangRecord record, Pass pass) {
        Promise promise = record.promise();
        if (promise == null) {
            return null;
        }
        Window window = promise.window();
        Instant start = Instant.ofEpochSecond(window.start());
        if (start.minus(HEAD_START).isAfter(pass.now)) {
            return start.minus(HEAD_START);
        }
        if (written.contains(record.gang())) {
            return pass.now.plus(AGAIN);
        }
        if ((isTooLate(record, window, pass) && !isInTurn(record)) || isStarting(record)) {
            return null;
        }
        Shut before = shut.get(record.gang());
        if (before != null && before.isFresh(record, pass.now)) {
            return before.seen().plus(AGAIN);
        }
        List<Member> members = view.members(record);
        boolean direct = record.phase() == Phase.PROMISED && goesDirect(window, members);
        if (direct && start.isAfter(pass.now)) {
            return start;
        }
        if (mayGo(record, window, members, pass)) {
            if (direct) {
                starter.start(record);
            } else {
                release(Objects.requireNonNullElse(promised(record), record), window, members, pass.reign);
            }
        } else {
            shut.put(record.gang(), new Shut(record.version(), pass.now));
        }
        return pass.now.plus(AGAIN);
    }

    private boolean isTooLate(GangRecord record, Window window, Pass pass) {
        long now = pass.now.getEpochSecond();
        return record.phase() == Phase.PROMISED
                ? now > window.start() + pass.settings.tolerance()
                : now >= StartTimes.lastStart(record, window, pass.settings)
                        || record.version().equals(sent.get(record.gang()));
    }

    /**
     * Binds the members that a previous leader left unbound after a durable start. If no member is bound yet and
     * kube-scheduler binds one of them, this waits for kube-scheduler's call. Without that call the gang is rolled
     * back, and has not run in part.
     */
    private void complete(GangRecord record) {
        if (whole.contains(RunId.of(record)) || starter.isStarting(record)) {
            return;
        }
        List<Member> members = view.members(record);
        if (members.stream().noneMatch(member -> member.state() == Member.State.WAITING)) {
            whole.add(RunId.of(record));
        } else if (members.stream().anyMatch(member -> member.state() == Member.State.WAITING && member.direct())
                && !isUpToKubeScheduler(members)) {
            starter.start(record);
        }
    }

    private static boolean isUpToKubeScheduler(List<Member> members) {
        return members.stream().allMatch(member -> member.state() == Member.State.WAITING)
                && members.stream().anyMatch(member -> !member.direct());
    }

    /** Returns whether the gang has started and may have members that are not on their nodes yet. */
    private boolean isArriving(GangRecord record) {
        return record.phase() == Phase.RUNNING && !whole.contains(RunId.of(record));
    }

    /**
     * Returns whether a gang may start: it is complete with the promised pods, its predecessors are over, and its nodes
     * are usable and have room, also for the gangs on their way there. A failed release costs more than a new promise,
     * because the pods have lost their gate.
     */
    private boolean mayGo(GangRecord record, Window window, List<Member> members, Pass pass) {
        return record.phase() == Phase.STARTING
                ? members.stream().anyMatch(member -> member.gated() && !member.direct())
                : isWhole(window, members)
                        && view.isAsPromised(record)
                        && pass.awaited.before(record).isEmpty()
                        && window.placements().stream()
                                .map(Placement::node)
                                .distinct()
                                .allMatch(view::usable)
                        && view.hasRoom(window, pass.transit().to(window));
    }

    /** Returns whether the gang is complete and Slotwise binds all of it. */
    public boolean goesDirect(GangRecord record) {
        Promise promise = record.promise();
        return promise != null && goesDirect(promise.window(), view.members(record));
    }

    private static boolean goesDirect(Window window, List<Member> members) {
        return isWhole(window, members) && members.stream().allMatch(Member::direct);
    }

    private static boolean isWhole(Window window, List<Member> members) {
        Map<String, Member> byName = new HashMap<>();
        members.forEach(member -> byName.put(member.pod(), member));
        Set<String> waiting = new HashSet<>();
        for (Placement placement : window.placements()) {
            Member member = byName.get(placement.pod());
            if (member != null && member.state() == Member.State.WAITING) {
                waiting.add(placement.pod());
            }
        }
        return waiting.size() == window.placements().size();
    }

    private void release(GangRecord record, Window window, List<Member> members, Leadership.Reign reign) {
        if (!busy.add(record.gang())) {
            return;
        }
        turns.remove(record.gang());
        writers.execute(() -> {
            try {
                send(record, window, members, reign);
            } finally {
                busy.remove(record.gang());
            }
        });
    }

    private void send(GangRecord record, Window window, List<Member> members, Leadership.Reign reign) {
        GangRecord startingRecord = record;
        if (record.phase() == Phase.PROMISED) {
            GangRecord wantedRecord = record.withPhase(Phase.STARTING)
                    .withHistory(record.history().released(clock.instant().getEpochSecond()))
                    .started(
                            false,
                            "Released",
                            LastRefusal.onItsWay(record.history().lastRefusal()),
                            window.start());
            switch (records.under(reign.epoch()).write(record, wantedRecord)) {
                case Outcome.Written written -> startingRecord = written.record();
                case Outcome.Conflict _, Outcome.Refused _ -> {
                    return;
                }
                case Outcome.Failed failed -> {
                    LOG.warnf("%s was not released: %s", record.gang(), failed.message());
                    return;
                }
            }
        }
        sent.put(record.gang(), startingRecord.version());
        List<String> failures = releaser.release(
                window, members.stream().filter(member -> !member.direct()).toList());
        if (failures.isEmpty()) {
            LOG.infof("%s released: %s", record.gang(), WindowText.of(window, Currency.NONE));
        } else {
            sent.remove(record.gang());
            LOG.warnf("%s released but for %d pods: %s", record.gang(), failures.size(), failures.getFirst());
        }
    }
}
