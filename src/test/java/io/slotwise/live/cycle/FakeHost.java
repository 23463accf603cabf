package io.slotwise.live.cycle;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Taint;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.GangProgress;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.GangEnds;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.DirectStarter;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.LedgerStore;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.RunHistoryStore;
import io.slotwise.live.port.WaitExplainer;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A cluster in memory behind all ports of the loop. Writes are seen at once, and all are recorded. */
public final class FakeHost
        implements ClusterView,
                RecordStore,
                LedgerStore,
                PodReleaser,
                DirectStarter,
                EventRecorder,
                MetricsRecorder,
                InstantSource {
    public static final long BEGIN = 1_893_456_000L;
    public final NavigableMap<GangId, GangRecord> records = new TreeMap<>();
    /** Runs after a part of a record is seen and before the rest is written. */
    Runnable whileWriting = () -> {};

    final NavigableMap<String, Grant> grants = new TreeMap<>();
    final NavigableMap<String, Ledger> ledgers = new TreeMap<>();
    /** The ledgers that are seen in place of those that another replica has just written. */
    final NavigableMap<String, Ledger> staleLedgers = new TreeMap<>();

    final NavigableMap<GangId, Gang> gangs = new TreeMap<>();
    final NavigableMap<String, Member> pods = new TreeMap<>();
    final List<Node> nodes = new ArrayList<>();
    final Set<String> lostNodes = new HashSet<>();
    final List<Notice> notices = new ArrayList<>();
    List<Notice> noticed = List.of();
    final Set<String> fullNodes = new HashSet<>();
    /** The windows next to which room was requested. */
    final Set<Window> beside = new HashSet<>();

    final List<String> told = new ArrayList<>();
    final List<String> released = new ArrayList<>();
    final List<String> recalled = new ArrayList<>();
    final List<String> evicted = new ArrayList<>();
    final List<Cause> broken = new ArrayList<>();
    final List<Move> moved = new ArrayList<>();
    /** The reservation that each gang names. */
    final NavigableMap<GangId, GangId> named = new TreeMap<>();
    /** The charges for advance reservations that are over. */
    final List<String> charged = new ArrayList<>();
    /** Gangs that keep their work when they are stopped. */
    final Set<GangId> migratable = new HashSet<>();
    /** Gangs that begin from scratch when they are stopped. */
    final Set<GangId> remade = new HashSet<>();
    /** The time for which pods are away when their gang is stopped. */
    EvictionTiming stop = new EvictionTiming(8, 8);

    /** True if controllers make the pods again of gangs that lose a member. */
    boolean madeAgain = true;
    /** The allocated CPU of resized pods, milli-cores. Negative if unknown. */
    final NavigableMap<String, Long> resized = new TreeMap<>();
    /** The CPU of every node, milli-cores. */
    long cores = 4000;
    /** The pods that a disruption budget keeps, each with its message. */
    final NavigableMap<String, String> refusedEvictions = new TreeMap<>();
    /** True if ledgers, and only these, cannot be written. */
    boolean refusesLedgers;
    /** The number of requested evictions that a disruption budget may refuse. */
    int asked;

    /** Runs while a snapshot is made. */
    Runnable whileTaking = () -> {};

    /** The settings of every snapshot. */
    final List<LoopSettings> taken = new ArrayList<>();

    /** The gangs requested to be bound directly. */
    final List<String> startedDirectly = new ArrayList<>();
    /** The gangs that are being bound. */
    final Set<GangId> starting = new HashSet<>();

    /**
     * The internal errors to throw for a gang: {@code pods NAME} when its pods are requested, {@code room NAME} when
     * its room is, {@code write NAME} when it is written.
     */
    final Set<String> errors = new HashSet<>();
    /** The gangs whose records cannot be read, with the reasons. */
    final NavigableMap<GangId, String> unreadable = new TreeMap<>();

    int again;
    final AtomicInteger failures = new AtomicInteger();
    /** The gangs that wait after the last cycle. */
    public List<WaitExplainer.Waiting> waits = List.of();

    int started;
    int writes;
    /** True if no gang can be bound. */
    boolean startsNothing;

    int ledgerWrites;
    /** The number of writes that still succeed. After them the process counts as dead. */
    int writesLeft = Integer.MAX_VALUE;

    boolean leads = true;
    /** True if all of the cluster has been seen once. */
    boolean ready = true;
    /** True if the view of the cluster is current. */
    boolean current = true;

    boolean conflicts;
    boolean unreachable;
    /** True if writes get no answer. */
    boolean silent;
    /** True if the effect of writes becomes known without an answer. */
    boolean catchesUp;

    private Instant now = Instant.ofEpochSecond(BEGIN);
    private int versions;

    /** Starts a process that plans this cluster from now on, without the memory of earlier processes. */
    public PlanningLoop replica(CurrentSettings current) {
        return replica(current, () -> leads);
    }

    PlanningLoop replica(CurrentSettings current, Leadership leading) {
        return replica(current, leading, starter(current), PlanPublisher.Writers.all(Runnable::run), Duration.ZERO);
    }

    PlanningLoop replica(
            CurrentSettings current,
            Leadership leading,
            GangStarter starter,
            PlanPublisher.Writers writers,
            Duration patience) {
        return replica(current, leading, starter, publication(starter, writers), patience);
    }

    PlanPublisher publication(GangStarter starter, PlanPublisher.Writers writers) {
        return new PlanPublisher(
                new PlanPublisher.Ports(
                        this, this, this, this, this, waiting -> waits = List.copyOf(waiting), RunHistoryStore.NONE),
                starter,
                writers,
                () -> again++);
    }

    PlanningLoop replica(
            CurrentSettings current,
            Leadership leading,
            GangStarter starter,
            PlanPublisher publication,
            Duration patience) {
        return new PlanningLoop(
                current,
                this,
                new PlanningLoop.Ports(leading, this, publication, this, NodeSupplier.NONE),
                starter,
                patience);
    }

    GangStarter starter(CurrentSettings current) {
        return new GangStarter(
                current, () -> leads, new GangStarter.Ports(this, this, this, this), this, Runnable::run);
    }

    /** Adds nodes of four cores at one unit per hour. */
    public FakeHost withNodes(String... names) {
        for (String name : names) {
            nodes.add(node(name, "1"));
        }
        return this;
    }

    FakeHost withNode(String name, String price) {
        nodes.add(node(name, price));
        return this;
    }

    /** Adds a gang whose pods {@code name-0} and so on are each as large as a node. */
    public GangId arrives(String name, int size, long runtime) {
        return arrives(name, size, runtime, Budget.UNLIMITED);
    }

    /** Adds a gang that may start 20 seconds from now. */
    GangId arrivesLater(String name, int size, long runtime) {
        GangId id = arrives(name, size, runtime);
        gangs.computeIfPresent(id, (_, asked) -> asked.startingFrom(second() + 20));
        return id;
    }

    /** Adds a gang whose pods request this many milli-cores each. */
    GangId arrivesSmall(String name, int size, long runtime, long milli) {
        GangId id = arrives(name, size, runtime);
        Resources resources = Resources.of(Map.of(Resources.CPU, milli, Resources.PODS, 1L));
        gangs.put(
                id,
                new Gang(
                        id,
                        Objects.requireNonNull(gangs.get(id)).pods(),
                        new PodRequest(resources, NodeConstraint.NONE, runtime, false),
                        Demand.NONE.withCriterion(Criterion.START),
                        0,
                        BEGIN));
        return id;
    }

    GangId arrives(String name, int size, long runtime, Budget budget) {
        return arrives(new GangId("user", name), size, runtime, budget);
    }

    GangId arrives(GangId id, int size, long runtime, Budget budget) {
        List<String> names =
                IntStream.range(0, size).mapToObj(i -> id.name() + "-" + i).toList();
        names.forEach(pod -> pods.put(pod, waiting(pod)));
        gangs.put(id, gang(id, names, runtime, budget, Criterion.START));
        return id;
    }

    /** Adds an advance reservation of seats as large as a node, which starts exactly at second {@code start}. */
    GangId holds(String name, int size, long start, long length) {
        GangId id = new GangId("user", name);
        List<String> podNames =
                IntStream.range(0, size).mapToObj(i -> name + "-" + i).toList();
        gangs.put(
                id,
                gang(id, podNames, length, Budget.UNLIMITED, Criterion.START)
                        .startingFrom(start)
                        .endingBy(start + length));
        records.put(
                id,
                GangRecord.first(id, now.getEpochSecond())
                        .withOwnership(new WindowOwnership.Held(OptionalLong.empty()))
                        .withUid("uid-" + name)
                        .withVersion(version()));
        return id;
    }

    /** Adds a gang that takes a reservation over. */
    GangId arrivesFor(GangId hold, String name, int size, long runtime) {
        GangId gang = arrives(name, size, runtime);
        named.put(gang, hold);
        return gang;
    }

    /** Deletes an advance reservation, which goes at once, or as soon as nothing keeps it. */
    void deletes(GangId hold) {
        GangRecord record = known(hold);
        if (record.promise() == null) {
            records.remove(hold);
        } else {
            records.put(
                    hold,
                    record.withOwnership(new WindowOwnership.Held(OptionalLong.of(second())))
                            .withVersion(version()));
        }
    }

    /** Deletes the record of a gang, which Slotwise must release. */
    void deletesRecord(GangId gang) {
        GangRecord record = known(gang);
        records.put(
                gang,
                new GangRecord(
                        gang,
                        record.uid(),
                        version(),
                        record.phase(),
                        record.terms(),
                        record.promise(),
                        record.tariff(),
                        record.plannedAspect(),
                        record.startedAspect(),
                        record.history(),
                        record.avoided(),
                        record.ownership(),
                        true));
    }

    static Gang gang(GangId id, List<String> pods, long runtime, Budget budget, Criterion criterion) {
        Resources resources = Resources.of(Map.of(Resources.CPU, 4000L, Resources.PODS, 1L));
        return new Gang(
                id,
                pods,
                new PodRequest(resources, NodeConstraint.NONE, runtime, false),
                Demand.NONE.withBudget(budget).withCriterion(criterion),
                0,
                BEGIN);
    }

    GangId arrives(String name, int size, long runtime, int priority) {
        GangId id = arrives(name, size, runtime);
        Gang gang = Objects.requireNonNull(gangs.get(id));
        gangs.put(
                id,
                new Gang(
                        id,
                        gang.shapes(),
                        gang.demand().withTopology(Topology.ANYWHERE).withLockstep(false),
                        priority,
                        second(),
                        gang.placementRequest()));
        return id;
    }

    /** Returns the gang with these nodes as the only allowed ones. */
    Gang on(Gang gang, Set<String> allowed) {
        Set<String> others = new HashSet<>();
        nodes.stream().map(Node::name).filter(name -> !allowed.contains(name)).forEach(others::add);
        return constrained(gang, new NodeConstraint(Map.of(), List.of(), List.of(), others));
    }

    static Budget budget(String total) {
        return new Budget(Money.parse(total), null);
    }

    static Member waiting(String pod) {
        return new Member(pod, "uid-" + pod, Member.State.WAITING, true, "", "");
    }

    /** Makes the pods of a gang need no kube-scheduler. */
    void goesDirect(GangId gang) {
        Objects.requireNonNull(gangs.get(gang))
                .pods()
                .forEach(pod -> pods.computeIfPresent(pod, (name, member) -> ungated(member, true)));
    }

    private static Member ungated(Member member, boolean direct) {
        return new Member(
                member.pod(), member.uid(), member.state(), false, "", "", false, OptionalLong.empty(), direct);
    }

    void refuse(String pod, String words) {
        pods.put(pod, new Member(pod, "uid-" + pod, Member.State.WAITING, false, "", words));
    }

    void nominate(String pod) {
        pods.put(
                pod,
                new Member(pod, "uid-" + pod, Member.State.WAITING, false, "", "", true, OptionalLong.empty(), false));
    }

    void bind(String pod, String node) {
        pods.put(pod, new Member(pod, "uid-" + pod, Member.State.BOUND, false, node, ""));
    }

    void end(String pod) {
        pods.put(pod, new Member(pod, "uid-" + pod, Member.State.ENDED, false, "", ""));
    }

    void endAt(String pod, long second) {
        pods.put(
                pod,
                new Member(
                        pod, "uid-" + pod, Member.State.ENDED, false, "", "", false, OptionalLong.of(second), false));
    }

    /** Deletes a bound pod, whose grace period ends at this second. */
    void deleteUntil(String pod, long second) {
        pods.computeIfPresent(
                pod,
                (_, member) -> new Member(
                        pod,
                        member.uid(),
                        Member.State.TERMINATING,
                        false,
                        member.node(),
                        "",
                        false,
                        OptionalLong.of(second),
                        false));
    }

    void succeed(String pod, long second) {
        pods.put(
                pod,
                new Member(
                        pod,
                        "uid-" + pod,
                        Member.State.ENDED,
                        false,
                        "",
                        "",
                        false,
                        OptionalLong.of(second),
                        true,
                        false));
    }

    /** Acts as the barrier: the record says Running, then the pods are bound. */
    void openBarrier(GangId gang) {
        GangRecord record = known(gang);
        Promise promise = Objects.requireNonNull(record.promise());
        TreeMap<String, String> members = new TreeMap<>();
        promise.window().placements().forEach(placement -> members.put(placement.pod(), "uid-" + placement.pod()));
        records.put(
                gang,
                record.withPhase(Phase.RUNNING)
                        .withHistory(record.history().started(now.getEpochSecond(), members))
                        .started(true, "BarrierOpened", "all its pods had arrived", now.getEpochSecond())
                        .withVersion(version()));
        promise.window().placements().forEach(placement -> bind(placement.pod(), placement.node()));
    }

    public GangRecord known(GangId gang) {
        return Objects.requireNonNull(records.get(gang), () -> gang + " must be known");
    }

    Window window(GangId gang) {
        return Objects.requireNonNull(known(gang).promise()).window();
    }

    void passTo(long second) {
        now = Instant.ofEpochSecond(second);
    }

    public void pass(Duration time) {
        now = now.plus(time);
    }

    long second() {
        return now.getEpochSecond();
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public boolean ready() {
        return ready;
    }

    @Override
    public boolean isCurrent() {
        return current;
    }

    /** The ledger of the namespace of most gangs. */
    Ledger ledger() {
        return ledgers.getOrDefault("user", Ledger.empty("user"));
    }

    /** Returns what was charged to the ledger, without the times that pods ran. */
    Charge spent() {
        return ledger().days().values().stream()
                .reduce(Charge.NOTHING, Charge::plus)
                .lasting(0);
    }

    @Override
    public ClusterFacts facts() {
        NavigableMap<String, Ledger> seen = new TreeMap<>(ledgers);
        seen.putAll(staleLedgers);
        return ClusterFacts.of(records.values(), this::members, grants, seen);
    }

    @Override
    public Collection<GangRecord> records() {
        return List.copyOf(records.values());
    }

    @Override
    public @Nullable GangRecord record(GangId gang) {
        return records.get(gang);
    }

    @Override
    public List<Member> members(GangRecord record) {
        meet("pods", record.gang());
        Gang gang = gangs.get(record.gang());
        Promise promise = record.promise();
        if (record.ownership().isHeld()) {
            return List.of();
        }
        List<String> names = promise != null
                ? promise.window().placements().stream().map(Placement::pod).toList()
                : gang == null ? List.of() : gang.pods();
        return names.stream().filter(pods::containsKey).map(pods::get).toList();
    }

    @Override
    public boolean usable(String node) {
        return !lostNodes.contains(node)
                && nodes.stream().anyMatch(n -> n.name().equals(node));
    }

    @Override
    public String nodeUid(String node) {
        return usable(node) ? "uid-" + node : "";
    }

    @Override
    public OptionalLong part(String namespace, Member member, Resources promised) {
        Long milli = resized.get(member.pod());
        return milli == null || milli < 0
                ? OptionalLong.empty()
                : OptionalLong.of(PodSizes.part(
                        promised, promised.with(Resources.CPU, milli), Resources.of(Map.of(Resources.CPU, cores))));
    }

    @Override
    public boolean hasRoom(Window window, Collection<Window> others) {
        meet("room", window.gang());
        beside.addAll(others);
        return window.placements().stream().noneMatch(placement -> fullNodes.contains(placement.node()));
    }

    @Override
    public Intaken take(LoopSettings settings, Collection<GangRecord> known, long firstSecond) {
        long seen = firstSecond;
        taken.add(settings);
        whileTaking.run();
        Map<GangId, GangRecord> byGang = new TreeMap<>();
        known.forEach(record -> byGang.put(record.gang(), record));
        List<Request> requests = new ArrayList<>();
        List<Pending> held = new ArrayList<>();
        List<Occupation> occupations = new ArrayList<>();
        List<Running> running = new ArrayList<>();
        NavigableMap<GangId, String> over = new TreeMap<>();
        NavigableMap<GangId, Set<String>> guests = new TreeMap<>();
        Set<GangId> holds = new HashSet<>();
        Map<GangId, Long> ends = new HashMap<>();
        known.forEach(record -> {
            if (record.phase() == Phase.COMPLETED) {
                ends.put(record.gang(), record.history().endedAt().orElse(seen));
            }
        });
        gangs.forEach((id, whole) -> {
            GangRecord gangRecord = byGang.get(id);
            GangId host = gangRecord == null ? null : gangRecord.host();
            if (gangRecord != null && host != null && gangRecord.promise() != null) {
                gangRecord
                        .promise()
                        .window()
                        .placements()
                        .forEach(placement -> guests.computeIfAbsent(host, _ -> new HashSet<>())
                                .add(placement.pod()));
            }
            GangRecord record = records.get(id);
            if (record != null && record.ownership().isHeld()) {
                if (gangRecord != null && gangRecord.phase() != Phase.COMPLETED) {
                    holds.add(id);
                    requests.add(new Request(whole, gangRecord.promise()));
                } else if (gangRecord != null) {
                    over.put(id, gangRecord.startedAspect().message());
                }
                return;
            }
            if (gangRecord != null && gangRecord.phase() == Phase.COMPLETED) {
                gangRecord = null;
            }
            Gang gang = left(whole, gangRecord);
            if (gangRecord != null && gangRecord.phase().started()) {
                List<Occupation> room = occupied(gangRecord, gang);
                occupations.addAll(room);
                room.stream()
                        .mapToLong(taking -> taking.interval().end())
                        .max()
                        .ifPresent(end -> ends.put(id, Math.max(end, seen + 1)));
                if ((migratable.contains(id) || remade.contains(id)) && room.size() == gang.size()) {
                    running.add(running(gangRecord, gang, room, seen));
                }
                return;
            }
            long present = gang.pods().stream()
                    .filter(pods::containsKey)
                    .filter(pod -> Objects.requireNonNull(pods.get(pod)).state() == Member.State.WAITING)
                    .count();
            if (present == 0) {
                return;
            }
            if (present < gang.size()) {
                held.add(new Pending(id, new Refusal.WaitingForMembers((int) present, gang.size())));
            } else {
                requests.add(new Request(avoiding(gang, gangRecord), gangRecord == null ? null : gangRecord.promise()));
            }
        });
        List<Node> there =
                nodes.stream().filter(n -> !lostNodes.contains(n.name())).toList();
        NavigableMap<GangId, GangId> claims = new TreeMap<>(named);
        claims.keySet().retainAll(requests.stream().map(r -> r.gang().id()).toList());
        return new Intaken(
                new Snapshot(firstSecond, new Cluster(there, occupations), requests, held)
                        .withRunning(running)
                        .ending(new GangEnds(ends, Map.of())),
                new ReservationNames(claims, holds).knowing(over, guests),
                notices,
                Collections.emptySortedMap(),
                Map.of());
    }

    /** The rest of a gang after its moves. */
    private static Gang left(Gang gang, @Nullable GangRecord record) {
        MigrationHistory history = record == null ? null : record.history().history();
        return history == null
                ? gang
                : gang.lasting(history.runtime()).paying(gang.budget().after(history.spent()));
    }

    private Running running(GangRecord record, Gang gang, List<Occupation> room, long seen) {
        long startedAt = record.history().startedAt().orElseThrow();
        MigrationHistory history = record.history().history();
        GangProgress run = new GangProgress(
                Objects.requireNonNull(record.promise()).window(),
                record.tariff(),
                startedAt,
                seen - startedAt,
                history == null ? 0 : history.overhead());
        List<Long> moves = history == null ? List.of() : history.moves();
        return new Running(gang, run, room, stop, moves, migratable.contains(gang.id()), List.of(), 0);
    }

    @Override
    public Outcome write(GangRecord before, GangRecord after) {
        writes++;
        meet("write", before.gang());
        if (unreachable || isDead()) {
            return new Outcome.Failed("no answer");
        }
        GangRecord known = records.get(before.gang());
        if (conflicts || !(known == null ? "" : known.version()).equals(before.version())) {
            return new Outcome.Conflict();
        }
        String version = version();
        GangRecord written = after.withVersion(version).withUid(known == null ? "uid-" + version : known.uid());
        records.put(before.gang(), written);
        whileWriting.run();
        return silent ? new Outcome.Failed("no answer") : new Outcome.Written(written);
    }

    @Override
    public boolean write(Ledger ledger) {
        ledgerWrites++;
        Ledger known = ledgers.get(ledger.namespace());
        if (refusesLedgers
                || unreachable
                || isDead()
                || !(known == null ? "" : known.version()).equals(ledger.version())) {
            return false;
        }
        ledgers.put(ledger.namespace(), ledger.at(version()));
        return true;
    }

    @Override
    public CompletableFuture<Optional<GangRecord>> start(GangRecord record) {
        if (unreachable) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        startedDirectly.add(record.gang().name());
        if (startsNothing) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (record.equals(records.get(record.gang()))) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        GangRecord running = record.running(
                second(), new TreeMap<>(members(record).stream().collect(Collectors.toMap(Member::pod, Member::uid))));
        records.put(record.gang(), running);
        return CompletableFuture.completedFuture(Optional.of(running));
    }

    @Override
    public boolean isStarting(GangRecord record) {
        return starting.contains(record.gang());
    }

    private void meet(String where, GangId gang) {
        if (errors.contains(where + " " + gang.name())) {
            throw new ArithmeticException("long overflow");
        }
    }

    @Override
    public Map<GangId, String> unreadable() {
        return unreadable;
    }

    private boolean isDead() {
        writesLeft--;
        return writesLeft < 0;
    }

    @Override
    public boolean catchUp() {
        return catchesUp || !unreachable;
    }

    @Override
    public Outcome delete(GangRecord record) {
        if (isDead()) {
            return new Outcome.Failed("no answer");
        }
        records.remove(record.gang());
        return new Outcome.Written(record);
    }

    @Override
    public List<String> release(Window window, List<Member> members) {
        members.forEach(member -> {
            Placement placement = window.placements().stream()
                    .filter(place -> place.pod().equals(member.pod()))
                    .findFirst()
                    .orElseThrow();
            released.add(member.pod() + " to " + placement.node());
            pods.put(member.pod(), ungated(member, member.direct()));
        });
        return List.of();
    }

    @Override
    public void recall(GangId gang, Collection<String> pods) {
        recalled.add(gang.name());
    }

    @Override
    public void evict(GangId gang, List<Member> bound) {
        bound.forEach(member -> {
            evicted.add(member.pod());
            pods.remove(member.pod());
        });
    }

    @Override
    public SortedMap<String, String> evictIfAllowed(GangId gang, List<Member> bound) {
        asked++;
        SortedMap<String, String> refused = new TreeMap<>(refusedEvictions);
        refused.keySet().retainAll(bound.stream().map(Member::pod).toList());
        bound.stream().filter(member -> !refused.containsKey(member.pod())).forEach(member -> {
            evicted.add(member.pod());
            pods.remove(member.pod());
        });
        return refused;
    }

    @Override
    public SortedMap<String, String> evictTogether(GangId gang, List<Member> bound) {
        asked++;
        SortedMap<String, String> refused = new TreeMap<>(refusedEvictions);
        refused.keySet().retainAll(bound.stream().map(Member::pod).toList());
        if (refused.isEmpty()) {
            evict(gang, bound);
        }
        return refused;
    }

    @Override
    public Optional<Remade> remade(GangRecord record) {
        return madeAgain ? Optional.of(new Remade(stop, Resources.of(Map.of(Resources.CPU, 4000L)))) : Optional.empty();
    }

    @Override
    public void announce(GangRecord record, Announcement announcement) {
        told.add(record.gang().name() + " " + announcement.reason().key() + ": " + announcement.message());
    }

    @Override
    public void notice(Notice notice) {
        told.add(notice.name() + " " + notice.reason());
    }

    @Override
    public void leads(boolean yes) {}

    @Override
    public void cycle(Duration took, Snapshot snapshot, Plan plan, Collection<GangRecord> all) {}

    @Override
    public void broken(Cause cause) {
        broken.add(cause);
    }

    @Override
    public void moved(Move move) {
        moved.add(move);
    }

    @Override
    public void cycleFailed() {
        failures.incrementAndGet();
    }

    @Override
    public void pace(Duration longest) {}

    @Override
    public void noticed(Collection<Notice> notices) {
        noticed = List.copyOf(notices);
    }

    @Override
    public FirstPromise.Outcomes promises() {
        return FirstPromise.Outcomes.NONE;
    }

    @Override
    public void promised(GangRecord record) {}

    @Override
    public void started(GangRecord record, Cluster cluster) {
        started++;
    }

    @Override
    public void held(GangRecord record, Cluster cluster) {
        charged.add("%s until %d"
                .formatted(record.gang().name(), record.history().endedAt().orElseThrow() - BEGIN));
    }

    @Override
    public void policyReplaced() {}

    @Override
    public void policyUsable(boolean usable) {}

    private static Gang avoiding(Gang gang, @Nullable GangRecord record) {
        if (record == null || record.avoided().isEmpty()) {
            return gang;
        }
        return constrained(
                gang,
                new NodeConstraint(
                        Map.of(), List.of(), List.of(), record.avoided().keySet()));
    }

    private static Gang constrained(Gang gang, NodeConstraint constraint) {
        PodRequest request = gang.request();
        return new Gang(
                gang.id(),
                gang.pods(),
                new PodRequest(request.resources(), constraint, request.runtime(), request.nodeIndependent()),
                gang.demand(),
                gang.priority(),
                gang.arrival());
    }

    private List<Occupation> occupied(GangRecord record, Gang gang) {
        List<Occupation> occupations = new ArrayList<>();
        Promise promise = record.promise();
        if (promise != null) {
            for (Placement placement : promise.window().placements()) {
                Member member = pods.get(placement.pod());
                if (member != null && member.state() == Member.State.BOUND) {
                    occupations.add(new Occupation(
                            placement.pod(),
                            placement.node(),
                            gang.request().resources(),
                            new Interval(placement.start(), Math.max(placement.end(), second() + 60))));
                }
            }
        }
        return occupations;
    }

    private String version() {
        versions++;
        return Integer.toString(versions);
    }

    private static Node node(String name, String price) {
        return new Node(
                name,
                Map.of(),
                List.<Taint>of(),
                true,
                Resources.of(Map.of(Resources.CPU, 4000L, Resources.PODS, 110L)),
                Performance.REFERENCE,
                "default",
                StepFunction.constant(Money.parse(price).micros()),
                List.of());
    }
}
