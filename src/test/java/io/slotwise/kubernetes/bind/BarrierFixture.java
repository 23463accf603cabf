package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.kubernetes.extender.KnownReservations;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.StartRefusals;
import io.slotwise.live.record.GangRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A barrier among fakes, ten seconds before the promised start. Everything happens on the calling thread. */
final class BarrierFixture implements BarrierObserver {
    static final Instant START = ReservationBuilder.START;

    final KnownReservations view = new KnownReservations();
    final FakeBindApi api = new FakeBindApi();
    final ManualTimer time = new ManualTimer(START.minusSeconds(10));
    Duration timeout = Duration.ofSeconds(10);
    final List<String> repairs = Collections.synchronizedList(new ArrayList<>());
    final List<String> observed = Collections.synchronizedList(new ArrayList<>());
    final Map<String, String> full = new ConcurrentHashMap<>();
    final List<String> bound = Collections.synchronizedList(new ArrayList<>());
    /** The pods that Slotwise binds itself. */
    final Set<String> direct = new HashSet<>();
    /** The schedulerName of pods that are seen with another scheduler. */
    final Map<String, String> others = new HashMap<>();

    final Set<String> gone = new HashSet<>();

    /** The pods found on their way to nodes that other gangs use. */
    final List<String> held = Collections.synchronizedList(new ArrayList<>());

    /** The records that were written before a pod was bound. */
    final WrittenRecords recorded = new WrittenRecords(() -> this.reachable);

    /** False if records cannot be written. */
    boolean reachable = true;

    boolean leads = true;
    /** True if the watches have proved that they live. */
    boolean current = true;

    /** True if the pods match those of the promise. */
    boolean asPromised = true;

    long epoch = 3;
    final GangBarrier barrier;

    BarrierFixture() {
        this(Runnable::run);
    }

    BarrierFixture(Executor executor) {
        barrier = new GangBarrier(
                new BarrierPorts(
                        view,
                        api,
                        new NodeCapacityPort() {
                            @Override
                            public @Nullable String obstacle(
                                    String node, List<BindRequest> coming, List<BindRequest> others) {
                                held.addAll(
                                        others.stream().map(BindRequest::pod).toList());
                                return full.get(node);
                            }

                            @Override
                            public void bound(BindRequest pod) {
                                bound.add(pod.pod() + " to " + pod.node());
                            }
                        },
                        new PodRosterPort() {
                            @Override
                            public boolean isCurrent() {
                                return current;
                            }

                            @Override
                            public boolean isAsPromised(GangRecord record) {
                                return asPromised;
                            }

                            @Override
                            public List<BindRequest> direct(GangId gang, WindowSpec window) {
                                return window.placement().stream()
                                        .filter(placement -> direct.contains(placement.pod()))
                                        .map(placement -> new BindRequest(
                                                "user", placement.pod(), "uid-of-" + placement.pod(), placement.node()))
                                        .toList();
                            }

                            @Override
                            public boolean isThere(String namespace, String pod, String uid) {
                                return !gone.contains(pod);
                            }

                            @Override
                            public @Nullable String version(BindRequest pod) {
                                return "v-" + pod.pod();
                            }

                            @Override
                            public @Nullable String schedulerName(BindRequest pod) {
                                return others.get(pod.pod());
                            }
                        },
                        this::repair,
                        recorded,
                        StartRefusals.NONE,
                        this),
                new BarrierTiming(
                        time, time, executor, (pods, start) -> executor.execute(start), executor, () -> timeout),
                new Leadership() {
                    @Override
                    public boolean getAsBoolean() {
                        return leads;
                    }

                    @Override
                    public long epoch() {
                        return epoch;
                    }
                },
                Set.of("slotwise", FakeBindApi.SCHEDULER));
    }

    private void repair(GangRecord started, String reason) {
        repairs.add(started.gang() + ": " + reason);
        if (!barrier.isStarting(started)) {
            observed.add("repaired " + started.gang() + " when another start could begin");
        }
    }

    /** Calls bind for the pod with this number of gang {@code g}, on its promised node. */
    CompletableFuture<BindOutcome> arrive(int pod) {
        return bind("g-" + pod, ReservationBuilder.node(pod));
    }

    void come(int pod) {
        var _ = arrive(pod);
    }

    void start() {
        start("g");
    }

    void start(String gang) {
        var _ = barrier.start(Reservations.record(Objects.requireNonNull(view.byGang(new GangId("user", gang)))));
    }

    boolean isStarting() {
        return barrier.isStarting(record());
    }

    private static GangRecord record() {
        return GangRecord.first(new GangId("user", "g"), START.getEpochSecond());
    }

    CompletableFuture<BindOutcome> bind(String pod, String node) {
        return bind(pod, "uid-of-" + pod, node);
    }

    CompletableFuture<BindOutcome> bind(String pod, String uid, String node) {
        return barrier.bind(new BindRequest("user", pod, uid, node));
    }

    static BindOutcome bound() {
        return new BindOutcome.Bound();
    }

    static BindOutcome notBound(String reason) {
        return new BindOutcome.NotBound(reason);
    }

    @Override
    public void opened(GangId gang, Instant promisedStart, Instant openedAt) {
        observed.add("opened " + gang + " after " + Duration.between(promisedStart, openedAt));
    }

    @Override
    public void partial(GangId gang) {
        observed.add("partial " + gang);
    }
}
