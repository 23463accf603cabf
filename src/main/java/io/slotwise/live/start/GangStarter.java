package io.slotwise.live.start;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
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
    private static final CompletableFuture<Optional<GangRecord>> NOT_STARTED =
            CompletableFuture.completedFuture(Optional.empty());

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
    private final QueueRoom queueRoom;
    /** The gangs that are being started or released, or about which a cycle is writing something else. */
    private final Set<GangId> busy = ConcurrentHashMap.newKeySet();

    private final Map<GangId, String> sent = new ConcurrentHashMap<>();
    /** The gangs that are due and wait for room or members. */
    private final Map<GangId, Shut> shut = new ConcurrentHashMap<>();

    private volatile @Nullable RecentTransit recent;

    /**
     * The ports of a starter.
     *
     * @param releaser sends pods to kube-scheduler
     * @param starter starts the gangs that Slotwise binds itself
     */
    public record Ports(ClusterView view, RecordStore records, PodReleaser releaser, DirectStarter starter) {}

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
        this.queueRoom = new QueueRoom(view);
    }

    /** Takes over the queues of a new cycle. */
    public void renew(Snapshot snapshot) {
        queueRoom.renew(snapshot);
    }

    /** Returns whether the queue of a gang whose window has begun has room for it. */
    public boolean hasQueueRoom(GangRecord record) {
        return queueRoom.fits(record, this::isStarting, clock.instant().getEpochSecond());
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
        List<GangRecord> waiting = new ArrayList<>();
        for (GangRecord record : pass.records) {
            if (record.isArriving()) {
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
                && isReady(record, promise.window(), view.members(record), recentTransit());
    }

    /** Returns whether a gang is complete with the promised pods, and its nodes and its queue have room for it. */
    private boolean isReady(GangRecord record, Window window, List<Member> members, WindowsInTransit transit) {
        return isWhole(window, members)
                && view.isAsPromised(record)
                && window.placements().stream().map(Placement::node).distinct().allMatch(view::usable)
                && view.hasRoom(window, transit.to(window))
                && hasQueueRoom(record);
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
                .filter(record -> record.phase() == Phase.STARTING || record.isArriving())
                .toList());
    }

    /**
     * Starts a gang whose window begins now. Nothing is written before the first binding of a gang that Slotwise binds.
     * The promise and the release of a gang with members that go through kube-scheduler are one write.
     *
     * @param before the gang as the cycle saw it
     * @param promisedRecord the same with its window
     * @return completed with the record from the first binding or the release on, or with a conflict if there is none
     */
    public CompletableFuture<Outcome> startNow(GangRecord before, GangRecord promisedRecord, Leadership.Reign reign) {
        if (!view.members(promisedRecord).stream().allMatch(Member::direct)) {
            Outcome outcome =
                    unstarted(before, () -> records.under(reign.epoch()).write(before, onItsWay(promisedRecord)));
            if (outcome instanceof Outcome.Written(GangRecord startingRecord)) {
                release(startingRecord, view.members(startingRecord), reign);
            }
            return CompletableFuture.completedFuture(outcome);
        }
        CompletableFuture<Optional<GangRecord>> startedRecord = reign.getAsBoolean() && view.isCurrent()
                ? start(promisedRecord.withVersion(before.version()).withUid(before.uid()))
                : NOT_STARTED;
        return startedRecord.thenApply(
                record -> record.<Outcome>map(Outcome.Written::new).orElseGet(Outcome.Conflict::new));
    }

    /** Starts a gang unless a cycle is writing its record. */
    private CompletableFuture<Optional<GangRecord>> start(GangRecord promisedRecord) {
        if (!busy.add(promisedRecord.gang())) {
            return NOT_STARTED;
        }
        try {
            return isUngated(promisedRecord) ? starter.start(promisedRecord) : NOT_STARTED;
        } finally {
            busy.remove(promisedRecord.gang());
        }
    }

    /** Removes the gate from pods that Slotwise binds itself. Returns whether none of them has it. */
    private boolean isUngated(GangRecord record) {
        List<Member> gated = view.members(record).stream().filter(Member::gated).toList();
        Promise promise = record.promise();
        return gated.isEmpty()
                || (promise != null && releaser.release(promise.window(), gated).isEmpty());
    }

    /**
     * Performs a write of a cycle, unless the gang has begun to start. The gang does not start during the write.
     *
     * @param before the gang as the cycle saw it
     */
    public Outcome unstarted(GangRecord before, Supplier<Outcome> outcome) {
        if (!busy.add(before.gang())) {
            return new Outcome.Conflict();
        }
        try {
            return !before.phase().started() && hasBegun(before) ? new Outcome.Conflict() : outcome.get();
        } finally {
            busy.remove(before.gang());
        }
    }

    private boolean hasBegun(GangRecord before) {
        GangRecord knownRecord = view.record(before.gang());
        return starter.isStarting(before) || (knownRecord != null && knownRecord.phase() == Phase.RUNNING);
    }

    /** Returns what keeps a gang from being bound in any window. Null if nothing does. */
    public @Nullable String refusal(GangId gang, Collection<String> pods, boolean tries) {
        return starter.refusal(gang, pods, tries);
    }

    /** Returns whether a gang is being started, so that a plan has to keep its window. */
    public boolean isStarting(GangRecord record) {
        return busy.contains(record.gang()) || starter.isStarting(record);
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
        if (busy.contains(record.gang())) {
            return pass.now.plus(AGAIN);
        }
        if (isTooLate(record, window, pass) || starter.isStarting(record)) {
            return null;
        }
        Shut before = shut.get(record.gang());
        if (before != null && before.isFresh(record, pass.now)) {
            return before.seen().plus(AGAIN);
        }
        List<Member> members = view.members(record);
        boolean direct = record.phase() == Phase.PROMISED && members.stream().allMatch(Member::direct);
        if (direct && start.isAfter(pass.now)) {
            return start;
        }
        if (mayGo(record, window, members, pass)) {
            if (direct) {
                var _ = start(record);
            } else {
                release(record, members, pass.reign);
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
        List<Member> members = view.members(record);
        if (members.stream().anyMatch(member -> member.state() == Member.State.WAITING && member.direct())
                && !isUpToKubeScheduler(members)
                && !starter.isStarting(record)) {
            var _ = starter.start(record);
        }
    }

    private static boolean isUpToKubeScheduler(List<Member> members) {
        return members.stream().allMatch(member -> member.state() == Member.State.WAITING)
                && members.stream().anyMatch(member -> !member.direct());
    }

    /**
     * Returns whether a gang may start: it is ready, also next to the gangs on their way, and its predecessors are
     * over. A failed release costs more than a new promise, because the pods have lost their gate.
     */
    private boolean mayGo(GangRecord record, Window window, List<Member> members, Pass pass) {
        return record.phase() == Phase.STARTING
                ? members.stream().anyMatch(Member::gated)
                : pass.awaited.before(record).isEmpty() && isReady(record, window, members, pass.transit());
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

    private void release(GangRecord record, List<Member> members, Leadership.Reign reign) {
        if (!busy.add(record.gang())) {
            return;
        }
        writers.execute(() -> {
            try {
                if (send(record, members, reign) instanceof Outcome.Failed failed) {
                    LOG.warnf("%s was not released: %s", record.gang(), failed.message());
                }
            } finally {
                busy.remove(record.gang());
            }
        });
    }

    /** Writes that a gang is released, and sends its pods to kube-scheduler. */
    private Outcome send(GangRecord promisedRecord, List<Member> members, Leadership.Reign reign) {
        Window window = Objects.requireNonNull(promisedRecord.promise()).window();
        Outcome outcome = promisedRecord.phase() == Phase.STARTING
                ? new Outcome.Written(promisedRecord)
                : records.under(reign.epoch()).write(promisedRecord, onItsWay(promisedRecord));
        if (!(outcome instanceof Outcome.Written(GangRecord startingRecord))) {
            return outcome;
        }
        sent.put(startingRecord.gang(), startingRecord.version());
        List<String> failures = releaser.release(
                window,
                members.stream()
                        .filter(member -> member.gated() || !member.direct())
                        .toList());
        if (failures.isEmpty()) {
            LOG.infof("%s released: %s", startingRecord.gang(), WindowText.of(window, Currency.NONE));
        } else {
            sent.remove(startingRecord.gang());
            LOG.warnf("%s released but for %d pods: %s", startingRecord.gang(), failures.size(), failures.getFirst());
        }
        return outcome;
    }

    private GangRecord onItsWay(GangRecord promisedRecord) {
        return promisedRecord
                .withPhase(Phase.STARTING)
                .withHistory(promisedRecord.history().released(clock.instant().getEpochSecond()))
                .started(
                        false,
                        "Released",
                        LastRefusal.onItsWay(promisedRecord.history().lastRefusal()),
                        promisedRecord.windowStart().orElseThrow());
    }
}
