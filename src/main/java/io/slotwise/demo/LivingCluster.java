package io.slotwise.demo;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.DirectStarter;
import io.slotwise.live.port.LedgerStore;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.RunHistoryStore;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory cluster behind the ports of the planning loop, which stores records and runs pods. A gang's barrier
 * opens at its start, or later when its pods are released. Each pod ends after the duration of its submission.
 *
 * <p>Thread-safe: others may read while one thread steps. O(log n) for each event, O(N + pods) for a snapshot.
 */
final class LivingCluster
        implements ClusterView, RecordStore, LedgerStore, RunHistoryStore, PodReleaser, DirectStarter {
    private final StepClock clock;
    private final Starts starts;
    private final SortedMap<String, Node> nodes = new TreeMap<>();
    private final Set<String> absent = new HashSet<>();
    private final SortedMap<GangId, DemoSubmission> submissions = new TreeMap<>();
    private final SortedMap<GangId, SortedMap<String, Member>> pods = new TreeMap<>();
    private final SortedMap<GangId, GangRecord> records = new TreeMap<>();
    private final SortedMap<String, RunHistory> histories = new TreeMap<>();
    private final PriorityQueue<Happening> coming =
            new PriorityQueue<>(Comparator.comparingLong(Happening::second).thenComparingLong(Happening::number));

    /** The present nodes; null after a change. */
    private @Nullable Inventory inventory;

    private long versions;
    private long happenings;

    /** A listener for starts. */
    interface Starts {
        void opened(GangRecord record, long second);
    }

    private record Happening(long second, long number, Runnable what) {}

    LivingCluster(Collection<Node> nodes, StepClock clock, Starts starts) {
        this.clock = clock;
        this.starts = starts;
        nodes.forEach(node -> this.nodes.put(node.name(), node));
    }

    /** Schedules an event in the current second or later. */
    synchronized void at(long second, Runnable what) {
        coming.add(new Happening(Math.max(second, clock.second()), happenings++, what));
    }

    /** Returns the second of the next event. Empty if there is none. */
    synchronized OptionalLong next() {
        Happening first = coming.peek();
        return first == null ? OptionalLong.empty() : OptionalLong.of(first.second);
    }

    /** Runs all due events. Returns whether there were any. */
    synchronized boolean happen() {
        boolean any = false;
        for (Happening first = coming.peek(); first != null && first.second <= clock.second(); first = coming.peek()) {
            coming.remove();
            first.what.run();
            any = true;
        }
        return any;
    }

    synchronized void submit(DemoSubmission submission) {
        Gang gang = submission.gang();
        submissions.put(gang.id(), submission);
        SortedMap<String, Member> members = new TreeMap<>();
        gang.pods().forEach(pod -> members.put(pod, member(gang.id(), pod, Member.State.WAITING, "")));
        pods.put(gang.id(), members);
    }

    /** Removes a gang that its user gives up before the start. */
    synchronized void withdraw(GangId gang) {
        GangRecord record = records.get(gang);
        SortedMap<String, Member> members = pods.get(gang);
        if (members != null && (record == null || !record.phase().started())) {
            members.clear();
        }
    }

    private static Member member(GangId gang, String pod, Member.State state, String node) {
        return new Member(pod, gang + "/" + pod, state, false, node, "").byItself();
    }

    /** Returns all nodes by name, including absent ones. */
    synchronized List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    synchronized void replace(Node node) {
        nodes.put(node.name(), node);
        inventory = null;
    }

    /** Removes a node. The pods on it are lost. */
    synchronized void lose(String name) {
        absent.add(name);
        inventory = null;
        pods.forEach((gang, members) -> members.values()
                .removeIf(member ->
                        member.state() == Member.State.BOUND && member.node().equals(name)));
    }

    /** Restores a node without pods. */
    synchronized void restore(String name) {
        absent.remove(name);
        inventory = null;
    }

    @Override
    public boolean ready() {
        return true;
    }

    @Override
    public synchronized ClusterFacts facts() {
        return ClusterFacts.of(records.values(), this::members, new TreeMap<>(), new TreeMap<>())
                .remembering(histories);
    }

    @Override
    public synchronized Collection<GangRecord> records() {
        return List.copyOf(records.values());
    }

    @Override
    public synchronized @Nullable GangRecord record(GangId gang) {
        return records.get(gang);
    }

    @Override
    public synchronized List<Member> members(GangRecord record) {
        SortedMap<String, Member> members = pods.get(record.gang());
        return members == null ? List.of() : List.copyOf(members.values());
    }

    @Override
    public synchronized boolean usable(String node) {
        return nodes.containsKey(node) && !absent.contains(node);
    }

    @Override
    public synchronized boolean hasRoom(Window window, Collection<Window> others) {
        SortedMap<String, Resources> taken = new TreeMap<>();
        for (Occupation occupation : bound(LoopSettings.DEFAULT)) {
            taken.merge(occupation.node(), occupation.resources(), Resources::plus);
        }
        Stream.concat(Stream.of(window), others.stream().filter(other -> !hasStarted(other.gang())))
                .forEach(comingWindow -> {
                    Gang gang = submission(comingWindow.gang()).gang();
                    comingWindow
                            .placements()
                            .forEach(placement -> taken.merge(
                                    placement.node(),
                                    gang.requestOf(placement.pod()).resources(),
                                    Resources::plus));
                });
        return window.placements().stream().allMatch(placement -> {
            Node node = nodes.get(placement.node());
            return node != null && node.allocatable().times(Objects.requireNonNull(taken.get(placement.node()))) > 0;
        });
    }

    private boolean hasStarted(GangId gang) {
        GangRecord record = records.get(gang);
        return record != null && record.phase().started();
    }

    private DemoSubmission submission(GangId gang) {
        return Objects.requireNonNull(submissions.get(gang), gang::toString);
    }

    @Override
    public synchronized Intaken take(LoopSettings settings, Collection<GangRecord> known, long now) {
        SortedMap<GangId, GangRecord> byGang = new TreeMap<>();
        known.forEach(record -> byGang.put(record.gang(), record));
        List<Request> requests = new ArrayList<>();
        List<Pending> held = new ArrayList<>();
        SortedMap<GangId, RuntimeSource> sources = new TreeMap<>();
        submissions.forEach((id, submission) -> {
            GangRecord record = byGang.get(id);
            if (record != null && record.phase().started()) {
                return;
            }
            RuntimeSource source = source(settings, submission);
            sources.put(id, source);
            Gang gang = planned(settings, submission, record, source);
            int waiting = (int) Objects.requireNonNull(pods.get(id)).values().stream()
                    .filter(member -> member.state() == Member.State.WAITING)
                    .count();
            if (waiting == gang.size()) {
                requests.add(new Request(gang, record == null ? null : record.promise()));
            } else if (waiting > 0) {
                held.add(new Pending(id, new Refusal.WaitingForMembers(waiting, gang.size())));
            }
        });
        return new Intaken(
                new Snapshot(now, new Cluster(present(), bound(settings)), requests, held),
                ReservationNames.NONE,
                List.of(),
                sources,
                Collections.emptySortedMap());
    }

    /** Returns the source of a gang's runtime, which may be its workload's past runs. */
    private RuntimeSource source(LoopSettings settings, DemoSubmission submission) {
        GangId id = submission.gang().id();
        return new RuntimeSource(
                submission.workload(),
                settings.runtimePrediction()
                        .of(history(id.namespace()), submission.workload())
                        .orElse(null),
                submission.stated());
    }

    private RunHistory history(String namespace) {
        return histories.getOrDefault(namespace, RunHistory.empty(namespace));
    }

    /** Returns a gang for the planner. Without a stated runtime it has that of its promise, or the predicted one. */
    private static Gang planned(
            LoopSettings settings, DemoSubmission submission, @Nullable GangRecord record, RuntimeSource source) {
        if (submission.stated()) {
            return submission.gang();
        }
        long told = source.predicted().map(Prediction::within).orElse(settings.defaultRuntime());
        return submission
                .gang()
                .lasting(
                        record != null && record.promise() != null
                                ? record.terms().runtime()
                                : Math.min(told, settings.policy().horizon()));
    }

    @Override
    public synchronized void write(RunHistory history) {
        histories.put(history.namespace(), history.at(version()));
    }

    private Inventory present() {
        Inventory presentInventory = inventory;
        if (presentInventory == null) {
            presentInventory = new Inventory(nodes.values().stream()
                    .filter(node -> !absent.contains(node.name()))
                    .toList());
            inventory = presentInventory;
        }
        return presentInventory;
    }

    /** Returns the capacity of bound pods until their expected end. Late pods are expected to run for the grace. */
    private List<Occupation> bound(LoopSettings settings) {
        List<Occupation> held = new ArrayList<>();
        long now = clock.second();
        records.forEach((id, record) -> {
            Promise promise = record.promise();
            SortedMap<String, Member> members = pods.get(id);
            if (promise == null || members == null || !record.phase().started()) {
                return;
            }
            long start = record.history().startedAt().orElse(promise.window().start());
            for (Placement placement : promise.window().placements()) {
                Member member = members.get(placement.pod());
                if (member != null && member.state() == Member.State.BOUND) {
                    long end = start + placement.end() - placement.start();
                    held.add(new Occupation(
                            id.namespace() + "/" + placement.pod(),
                            placement.node(),
                            submission(id).gang().requestOf(placement.pod()).resources(),
                            new Interval(
                                    start,
                                    settings.graced(
                                            start, end, now, submission(id).stated())),
                            end <= now));
                }
            }
        });
        return held;
    }

    @Override
    public synchronized Outcome write(GangRecord before, GangRecord after) {
        GangRecord knownRecord = records.get(before.gang());
        if (!(knownRecord == null ? "" : knownRecord.version()).equals(before.version())) {
            return new Outcome.Conflict();
        }
        String version = version();
        GangRecord writtenRecord =
                after.withVersion(version).withUid(knownRecord == null ? "uid-" + version : knownRecord.uid());
        records.put(before.gang(), writtenRecord);
        return new Outcome.Written(writtenRecord);
    }

    @Override
    public synchronized Outcome delete(GangRecord record) {
        records.remove(record.gang());
        pods.remove(record.gang());
        submissions.remove(record.gang());
        return new Outcome.Written(record);
    }

    private String version() {
        return Long.toString(++versions);
    }

    /** A demo has no budgets. */
    @Override
    public boolean write(Ledger ledger) {
        return true;
    }

    /** No pod of a demo goes through kube-scheduler. */
    @Override
    public List<String> release(Window window, List<Member> members) {
        throw new IllegalStateException("The pods of %s are bound directly.".formatted(window.gang()));
    }

    @Override
    public synchronized CompletableFuture<Optional<GangRecord>> start(GangRecord record) {
        return CompletableFuture.completedFuture(open(record));
    }

    /** A start takes no time. */
    @Override
    public boolean isStarting(GangRecord record) {
        return false;
    }

    /** Binds all pods of a gang in this second, if its record is the newest and its nodes have room. */
    private Optional<GangRecord> open(GangRecord record) {
        GangId id = record.gang();
        GangRecord knownRecord = records.get(id);
        SortedMap<String, Member> members = pods.get(id);
        Promise promise = record.promise();
        boolean current = record.version().equals(knownRecord == null ? "" : knownRecord.version());
        if (!current || members == null || promise == null || record.phase() != Phase.PROMISED) {
            return Optional.empty();
        }
        Window window = promise.window();
        long now = clock.second();
        if (now < window.start()
                || !window.placements().stream().map(Placement::node).allMatch(this::usable)) {
            return Optional.empty();
        }
        if (!hasRoom(window, List.of())) {
            return Optional.empty();
        }
        GangRecord runningRecord = record.running(now, uids(members)).withVersion(version());
        records.put(id, runningRecord.withUid("uid-" + runningRecord.version()));
        DemoSubmission submission = submission(id);
        long longest = 0;
        for (Placement placement : window.placements()) {
            longest = Math.max(longest, seconds(submission, placement));
        }
        for (Placement placement : window.placements()) {
            members.put(placement.pod(), member(id, placement.pod(), Member.State.BOUND, placement.node()));
            at(
                    now + (submission.gang().lockstep() ? longest : seconds(submission, placement)),
                    () -> end(id, placement.pod()));
        }
        starts.opened(record, now);
        return Optional.of(runningRecord);
    }

    private static SortedMap<String, String> uids(SortedMap<String, Member> members) {
        SortedMap<String, String> uids = new TreeMap<>();
        members.forEach((pod, member) -> uids.put(pod, member.uid()));
        return uids;
    }

    private long seconds(DemoSubmission submission, Placement placement) {
        return submission.seconds(
                Objects.requireNonNull(nodes.get(placement.node())).performance());
    }

    private void end(GangId id, String pod) {
        SortedMap<String, Member> members = pods.get(id);
        Member member = members == null ? null : members.get(pod);
        if (member != null && member.state() == Member.State.BOUND) {
            Objects.requireNonNull(members)
                    .put(
                            pod,
                            new Member(
                                    pod,
                                    member.uid(),
                                    Member.State.ENDED,
                                    false,
                                    "",
                                    "",
                                    false,
                                    OptionalLong.of(clock.second()),
                                    true,
                                    true));
        }
    }

    @Override
    public boolean catchUp() {
        return true;
    }

    /** No pod is on its way before the barrier opens. */
    @Override
    public void recall(GangId gang, Collection<String> pods) {}

    /** A demo has no disruption budgets. */
    @Override
    public SortedMap<String, String> evictIfAllowed(GangId gang, List<Member> bound) {
        evict(gang, bound);
        return new TreeMap<>();
    }

    @Override
    public SortedMap<String, String> evictTogether(GangId gang, List<Member> bound) {
        return evictIfAllowed(gang, bound);
    }

    @Override
    public synchronized void evict(GangId gang, List<Member> bound) {
        SortedMap<String, Member> members = pods.get(gang);
        for (Member member : bound) {
            if (members != null) {
                members.put(member.pod(), member(gang, member.pod(), Member.State.WAITING, ""));
            }
        }
    }
}
