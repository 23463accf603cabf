package io.slotwise.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.bind.BarrierPorts;
import io.slotwise.kubernetes.bind.BarrierTimer;
import io.slotwise.kubernetes.bind.BarrierTiming;
import io.slotwise.kubernetes.bind.BindApi;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.GangBarrier;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.kubernetes.watch.WatchTiming;
import io.slotwise.kubernetes.watch.WatchedCapacity;
import io.slotwise.kubernetes.watch.WatchedRoster;
import io.slotwise.live.cycle.GangRollback;
import io.slotwise.live.cycle.PlanPublisher;
import io.slotwise.live.cycle.PlanningLoop;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.LedgerStore;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.RunHistoryStore;
import io.slotwise.live.port.StartRefusals;
import io.slotwise.live.port.WaitExplainer;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import io.slotwise.observability.Meters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a small cluster in virtual time, and replicas of Slotwise that lead it one after the other. Each
 * replica is killed after a number of calls that change something, of which the last has its effect and no answer. All
 * happens on the thread of the test.
 */
public final class DurableCluster {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private static final String NAMESPACE = "user";

    private final NavigableMap<String, Node> nodes = new TreeMap<>();
    private final NavigableMap<String, HasMetadata> namespaces = new TreeMap<>();
    private final NavigableMap<String, Pod> pods = new TreeMap<>();
    private final NavigableMap<GangId, Reservation> records = new TreeMap<>();
    private final NavigableMap<String, Ledger> ledgers = new TreeMap<>();
    /** All calls that changed something, in their order, except writes of ledgers. */
    public final List<String> calls = new ArrayList<>();

    private final List<Timed> timed = new ArrayList<>();
    private Instant now;
    private int versions;
    private int epochs;
    private @Nullable Leader leader;

    /** An empty cluster. */
    public DurableCluster(Instant begin) {
        now = begin;
    }

    /** An object in JSON. */
    public void has(String json) {
        HasMetadata object = SERIALIZATION.unmarshal(json);
        object.getMetadata().setResourceVersion(version());
        switch (object) {
            case Node node -> nodes.put(node.getMetadata().getName(), node);
            case Pod pod -> put(pod);
            default -> namespaces.put(object.getMetadata().getName(), object);
        }
    }

    /** Time passes. */
    public void pass(Duration time) {
        passTo(now.plus(time));
    }

    /** Advances the time to this instant, if it is not later already. */
    public void passTo(Instant instant) {
        now = now.isAfter(instant) ? now : instant;
        List<Timed> due =
                timed.stream().filter(task -> !task.when().isAfter(now)).toList();
        timed.removeAll(due);
        due.forEach(task -> task.task().run());
    }

    private record Timed(Instant when, Runnable task) {}

    /** The pods by name. */
    public NavigableMap<String, Pod> pods() {
        return Collections.unmodifiableNavigableMap(pods);
    }

    /** Returns the stored record of a gang, or null. */
    public @Nullable GangRecord record(String gang) {
        Reservation record = records.get(new GangId(NAMESPACE, gang));
        return record == null ? null : Reservations.record(copy(record, Reservation.class));
    }

    /** Returns the ledger of the only namespace without its version, or null. */
    public @Nullable Ledger ledger() {
        Ledger ledger = ledgers.get(NAMESPACE);
        return ledger == null ? null : ledger.at("");
    }

    /** A pod has done its work. */
    public void succeed(String name) {
        Pod pod = copy(Objects.requireNonNull(pods.get(name)), Pod.class);
        pod.getStatus().setPhase("Succeeded");
        pod.getStatus()
                .setContainerStatuses(Serialization.unmarshal("""
                {"status": {"containerStatuses": [{"name": "c", "image": "i", "imageID": "", "ready": false,
                 "restartCount": 0, "state": {"terminated": {"exitCode": 0, "finishedAt": "%s"}}}]},
                 "kind": "Pod", "apiVersion": "v1", "metadata": {"name": "x"}}""".formatted(now), Pod.class)
                        .getStatus()
                        .getContainerStatuses());
        put(pod);
    }

    /** Another replica leads from now on, until it has made so many calls. */
    public Leader lead(int callsLeft) {
        Leader former = leader;
        if (former != null) {
            former.watch.close();
            former.callsLeft = 0;
        }
        Leader next = new Leader(callsLeft);
        leader = next;
        next.begin();
        return next;
    }

    private String version() {
        versions++;
        return Integer.toString(versions);
    }

    private void put(Pod pod) {
        pod.getMetadata().setResourceVersion(version());
        pods.put(pod.getMetadata().getName(), pod);
        emit(pod);
    }

    private void emit(HasMetadata object) {
        if (leader != null) {
            leader.watches.put(copy(object, object.getClass()));
        }
    }

    private static <T extends HasMetadata> T copy(HasMetadata object, Class<T> type) {
        return Serialization.unmarshal(Serialization.asJson(object), type);
    }

    /** A replica that leads. */
    public final class Leader
            implements BindApi, RecordStore, LedgerStore, PodReleaser, EventRecorder, Leadership, BarrierTimer {
        private final CannedWatches watches = new CannedWatches();
        private final ReservationIndex index = new ReservationIndex(() -> now);
        private final ClusterWatch watch;
        private final GangBarrier barrier;
        private final GangStarter starter;
        private final PlanningLoop loop;
        private final long epoch = ++epochs;
        private int callsLeft;
        /** The time that the replica has waited since its last call. */
        private Duration dead = Duration.ZERO;

        private Leader(int callsLeft) {
            this.callsLeft = callsLeft;
            LoopSettings settings = LoopSettings.EXACT;
            CurrentSettings current = CurrentSettings.fixed(settings);
            Meters meters = new Meters(new SimpleMeterRegistry());
            watch = new ClusterWatch(
                    watches.client(),
                    new Intake(settings, PriceCatalogue.EMPTY, PodFilter.CLUSTER),
                    index,
                    () -> {},
                    WatchTiming.DEFAULT.withNanos(() -> 0));
            barrier = new GangBarrier(
                    new BarrierPorts(
                            index,
                            this,
                            new WatchedCapacity(watch),
                            new WatchedRoster(watch),
                            new GangRollback(this::clock, watch, this, this, this, meters, this::pause)::takeBack,
                            this,
                            StartRefusals.NONE,
                            meters),
                    new BarrierTiming(
                            this::clock,
                            this,
                            Runnable::run,
                            (_, start) -> start.run(),
                            Runnable::run,
                            () -> Duration.ofSeconds(10)),
                    this,
                    Set.of("slotwise", "slotwise-extender"));
            starter = new GangStarter(
                    current, this, new GangStarter.Ports(watch, this, this, barrier), () -> now, Runnable::run);
            PlanPublisher publisher = new PlanPublisher(
                    new PlanPublisher.Ports(this, this, this, this, meters, WaitExplainer.SILENT, RunHistoryStore.NONE),
                    starter,
                    PlanPublisher.Writers.all(Runnable::run),
                    () -> {});
            loop = new PlanningLoop(
                    current,
                    () -> now,
                    new PlanningLoop.Ports(this, watch, publisher, meters, NodeSupplier.NONE),
                    starter,
                    Duration.ZERO);
        }

        private void begin() {
            nodes.values().forEach(DurableCluster.this::emit);
            namespaces.values().forEach(DurableCluster.this::emit);
            pods.values().forEach(DurableCluster.this::emit);
            records.values().forEach(DurableCluster.this::emit);
            ledgers.values().forEach(ledger -> emit(Ledgers.object(ledger)));
            watch.start();
            while (!watch.ready()) {
                Thread.onSpinWait();
            }
        }

        /** A cycle, a look for what is due, and what kube-scheduler does meanwhile; a second passes. */
        public void round() {
            loop.cycle();
            starter.look(now);
            for (Pod pod : List.copyOf(pods.values())) {
                Placement placement = seat(pod);
                boolean sent = pod.getSpec().getSchedulerName().equals("slotwise-extender")
                        && pod.getSpec().getSchedulingGates().isEmpty()
                        && pod.getSpec().getNodeName() == null;
                if (sent && placement != null) {
                    var _ = barrier.bind(new BindRequest(
                            NAMESPACE,
                            pod.getMetadata().getName(),
                            pod.getMetadata().getUid(),
                            placement.node()));
                }
            }
            pass(Duration.ofSeconds(1));
        }

        private @Nullable Placement seat(Pod pod) {
            return index.records().stream()
                    .filter(record -> record.promise() != null)
                    .flatMap(record -> Objects.requireNonNull(record.promise()).window().placements().stream())
                    .filter(placement ->
                            placement.pod().equals(pod.getMetadata().getName()))
                    .findFirst()
                    .orElse(null);
        }

        /** Returns this replica's record of a gang, or null. */
        public @Nullable GangRecord known(String gang) {
            return index.record(new GangId(NAMESPACE, gang));
        }

        /** Returns whether a call has an effect. */
        private boolean call(String what) {
            if (callsLeft <= 0) {
                return false;
            }
            callsLeft--;
            if (!what.equals("ledger")) {
                calls.add(what);
            }
            return true;
        }

        @Override
        public boolean getAsBoolean() {
            return callsLeft > 0;
        }

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public PodAnswer readPod(String namespace, String name) {
            Pod pod = pods.get(name);
            if (callsLeft <= 0) {
                return new Unanswered("dead");
            }
            return pod == null
                    ? new PodAnswer.Absent()
                    : new PodAnswer.Found(
                            pod.getMetadata().getUid(),
                            pod.getSpec().getNodeName(),
                            pod.getSpec().getSchedulerName(),
                            !pod.getSpec().getSchedulingGates().isEmpty(),
                            pod.getMetadata().getDeletionTimestamp() != null,
                            pod.getMetadata().getAnnotations().getOrDefault(StartRecord.RUN, ""));
        }

        @Override
        public BindAnswer bind(BindRequest request, Map<String, String> annotations) {
            if (!call("bind " + request.pod())) {
                return new Unanswered("dead");
            }
            Pod there = pods.get(request.pod());
            boolean fits = there != null
                    && there.getMetadata().getUid().equals(request.uid())
                    && (request.version() == null
                            || request.version().equals(there.getMetadata().getResourceVersion()))
                    && there.getSpec().getNodeName() == null
                    && there.getSpec().getSchedulingGates().isEmpty();
            if (there == null || !fits) {
                return new BindAnswer.Conflict("conflict");
            }
            Pod pod = copy(there, Pod.class);
            pod.getSpec().setNodeName(request.node());
            pod.getMetadata().getAnnotations().putAll(annotations);
            put(pod);
            return new BindAnswer.Bound();
        }

        @Override
        public ReservationAnswer read(Reservation reservation) {
            Reservation there = records.get(Objects.requireNonNull(reservation.gang()));
            return callsLeft <= 0
                    ? new Unanswered("dead")
                    : there == null
                            ? new ReservationAnswer.Absent()
                            : new ReservationAnswer.Found(copy(there, Reservation.class));
        }

        /** Two calls, as a status has one of its own. */
        @Override
        public Outcome write(GangRecord before, GangRecord after) {
            Reservation known = records.get(before.gang());
            if (!before.version()
                    .equals(known == null ? "" : known.getMetadata().getResourceVersion())) {
                return new Outcome.Conflict();
            }
            if (known == null
                    || !Reservations.spec(Reservations.record(copy(known, Reservation.class)))
                            .equals(Reservations.spec(after))) {
                Reservation specified = Reservations.withSpec(after);
                specified.setStatus(known == null ? null : known.getStatus());
                if (!keep(specified, known, "spec")) {
                    return new Outcome.Failed("dead");
                }
            }
            Reservation whole = StartRecord.of(after);
            return keep(
                            whole,
                            records.get(before.gang()),
                            "status " + after.phase().key())
                    ? new Outcome.Written(after.withVersion(whole.getMetadata().getResourceVersion())
                            .withUid(whole.getMetadata().getUid()))
                    : new Outcome.Failed("dead");
        }

        private boolean keep(Reservation record, @Nullable Reservation known, String what) {
            if (!call(what + " of " + record.getMetadata().getName())) {
                return false;
            }
            record.getMetadata()
                    .setUid(
                            known == null
                                    ? "uid-" + versions
                                    : known.getMetadata().getUid());
            record.getMetadata()
                    .setCreationTimestamp(
                            known == null ? now.toString() : known.getMetadata().getCreationTimestamp());
            record.getMetadata().setResourceVersion(version());
            Reservation kept = copy(record, Reservation.class);
            records.put(Objects.requireNonNull(kept.gang()), kept);
            index.accept(copy(kept, Reservation.class));
            emit(kept);
            return true;
        }

        @Override
        public Outcome delete(GangRecord record) {
            Reservation known = records.get(record.gang());
            if (known == null || !call("delete " + ReservationName.of(record.gang()))) {
                return new Outcome.Failed("dead");
            }
            records.remove(record.gang());
            index.deleted(known);
            watches.remove(known);
            return new Outcome.Written(record);
        }

        @Override
        public boolean catchUp() {
            return callsLeft > 0;
        }

        @Override
        public boolean write(Ledger ledger) {
            if (!call("ledger")) {
                return false;
            }
            Ledger written = ledger.at(version());
            ledgers.put(ledger.namespace(), written);
            watch.ledgers()
                    .accept(copy(
                            Ledgers.object(written), Ledgers.object(written).getClass()));
            return true;
        }

        @Override
        public List<String> release(Window window, List<Member> members) {
            for (Member member : members) {
                if (!call("release " + member.pod())) {
                    return List.of("dead");
                }
                Pod pod = copy(Objects.requireNonNull(pods.get(member.pod())), Pod.class);
                pod.getSpec().setSchedulingGates(List.of());
                put(pod);
            }
            return List.of();
        }

        @Override
        public void recall(GangId gang, Collection<String> names) {
            for (String name : names) {
                Pod pod = pods.get(name);
                if (pod != null && pod.getSpec().getNodeName() == null && call("recall " + name)) {
                    put(copy(pod, Pod.class));
                }
            }
        }

        @Override
        public void evict(GangId gang, List<Member> bound) {
            for (Member member : bound) {
                Pod pod = pods.get(member.pod());
                if (pod != null && call("evict " + member.pod())) {
                    pods.remove(member.pod());
                    watches.remove(pod);
                }
            }
        }

        @Override
        public SortedMap<String, String> evictIfAllowed(GangId gang, List<Member> bound) {
            return evictTogether(gang, bound);
        }

        @Override
        public SortedMap<String, String> evictTogether(GangId gang, List<Member> bound) {
            evict(gang, bound);
            return new TreeMap<>();
        }

        @Override
        public void announce(GangRecord record, Announcement announcement) {}

        @Override
        public void notice(Notice notice) {}

        @Override
        public void at(Instant when, Runnable task) {
            if (when.isAfter(now)) {
                timed.add(new Timed(when, task));
            } else {
                task.run();
            }
        }

        @Override
        public void pause(Duration time) {
            if (callsLeft > 0) {
                pass(time);
            } else {
                dead = dead.plus(time);
            }
        }

        private Instant clock() {
            return now.plus(dead);
        }
    }

    /** Returns whether a gang has started by its record. */
    public boolean isRunning(String gang) {
        GangRecord record = record(gang);
        return record != null && record.phase() == Phase.RUNNING;
    }
}
