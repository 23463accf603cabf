package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.extender.KnownReservations;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A barrier among fakes, ten seconds before the promised start. What it does happens on the calling thread. */
final class BarrierScene implements BarrierObserver {
    static final Instant START = ReservationBuilder.START;

    final KnownReservations view = new KnownReservations();
    final FakeBindApi api = new FakeBindApi();
    final ManualTimer time = new ManualTimer(START.minusSeconds(10));
    Duration timeout = Duration.ofSeconds(10);
    final List<String> repairs = Collections.synchronizedList(new ArrayList<>());
    final List<String> observed = Collections.synchronizedList(new ArrayList<>());
    final Map<String, String> full = new ConcurrentHashMap<>();
    final List<String> bound = Collections.synchronizedList(new ArrayList<>());
    final GangBarrier barrier;

    BarrierScene() {
        this(Runnable::run);
    }

    BarrierScene(Executor executor) {
        barrier = new GangBarrier(
                new BarrierPorts(
                        view,
                        api,
                        new Rooms() {
                            @Override
                            public @Nullable String obstacle(String node, List<BindRequest> coming) {
                                return full.get(node);
                            }

                            @Override
                            public void bound(BindRequest pod) {
                                bound.add(pod.pod() + " to " + pod.node());
                            }
                        },
                        (gang, reason) -> repairs.add(gang + ": " + reason),
                        this),
                new BarrierTiming(time, time, executor, () -> timeout),
                FakeBindApi.SCHEDULER);
    }

    /** A call for the pod with this number of gang {@code g}, to its promised node. */
    CompletableFuture<BindOutcome> arrive(int pod) {
        return bind("g-" + pod, ReservationBuilder.node(pod));
    }

    /** The same, where the answer does not matter. */
    void come(int pod) {
        var _ = arrive(pod);
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
