package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.bind.MemberBinding.Result;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.extender.PodReservation;
import io.slotwise.kubernetes.extender.ReservationView;
import io.slotwise.live.port.DirectStarter;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.Waits;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Binds the pods of a gang together or not at all. A gang that Slotwise binds itself arrives as a whole at its promised
 * start. For members that go through kube-scheduler, each call waits until all of them have called and the promised
 * start has come. Then {@link GangStart} starts the gang. Waiting calls hold neither a pooled thread nor a lock.
 *
 * <p>A gang has at most one {@link ArrivedMembers}. It begins with the first call. It ends when the gang is bound, when
 * its reservation promises something else, or {@code startTimeout} after the promised start. Then all waiting calls are
 * answered.
 */
public final class GangBarrier implements DirectStarter, AutoCloseable {

    private final ReservationView reservations;
    private final BindApi api;
    private final BarrierTiming timing;
    private final Set<String> schedulerNames;
    private final MemberBinding binding;
    private final GangStart start;
    private final BarrierPorts ports;
    private final ConcurrentMap<GangId, ArrivedMembers> assemblies = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param ports the barrier listens to changes of the reservations from now on
     * @param leadership whether this replica plans
     * @param schedulerNames the scheduler names of Slotwise's pods; other pods are never bound
     */
    public GangBarrier(BarrierPorts ports, BarrierTiming timing, Leadership leadership, Set<String> schedulerNames) {
        this.ports = ports;
        this.reservations = ports.reservations();
        this.api = ports.api();
        this.timing = timing;
        this.schedulerNames = Set.copyOf(schedulerNames);
        this.binding = new MemberBinding(ports, timing, leadership);
        this.start = new GangStart(ports, timing, binding, leadership, this::tidy);
        reservations.onChange(this::changed);
    }

    /**
     * Binds one pod when its gang may start. A repeated call for the same pod gets the same answer.
     *
     * @return completed when the pod is bound or known not to be
     */
    public CompletableFuture<BindOutcome> bind(BindRequest request) {
        PodReservation podReservation = reservations.ofPod(request.namespace(), request.pod());
        PlacementSpec placement = podReservation == null ? null : podReservation.placement();
        if (podReservation == null || placement == null) {
            return later(() -> withoutPlace(request));
        }
        String schedulerName = ports.roster().schedulerName(request);
        if (schedulerName != null && !schedulerNames.contains(schedulerName)) {
            // Another scheduler's pod with the name of a member.
            return answer(notOurs(request, schedulerName));
        }
        WindowKey key = WindowKey.of(podReservation.reservation());
        if (key == null) {
            return unlessBound(request, Waits.FOR_A_PLAN);
        }
        String promise = "promised on node " + placement.node() + " from " + placement.start();
        if (!placement.node().equals(request.node())) {
            return unlessBound(request, promise);
        }
        return switch (podReservation.reservation().phase()) {
            case PENDING, COMPLETED, BROKEN -> unlessBound(request, Waits.FOR_A_PLAN);
            case PROMISED -> unlessBound(request, promise);
            case STARTING -> assemble(request, podReservation.reservation(), key);
            case RUNNING -> follow(request, podReservation.reservation(), key);
        };
    }

    @Override
    public CompletableFuture<Optional<GangRecord>> start(GangRecord record) {
        Reservation knownReservation = reservations.byGang(record.gang());
        boolean runs = knownReservation != null && knownReservation.phase() == Phase.RUNNING;
        Reservation reservation = knownReservation != null && runs ? knownReservation : StartRecord.of(record);
        WindowKey key = WindowKey.of(reservation);
        if (!closed && key != null && Objects.equals(version(knownReservation), version(reservation))) {
            ArrivedMembers arrived = arrived(key, reservation, ports.roster().direct(key.gang(), key.window()));
            if (runs) {
                // The members that a previous leader left unbound.
                ArrivedMembers lateMembers = arrived.unbound(ports.roster()::version);
                if (!lateMembers.members().isEmpty()) {
                    begin(lateMembers, start::complete);
                }
            } else if (arrived.isDirect()
                    && record.phase() == Phase.PROMISED
                    && refusal(key.gang(), pods(key), true) == null
                    && begin(arrived, wholeMembers -> start.whole(wholeMembers, 1))) {
                return arrived.started();
            }
        }
        return CompletableFuture.completedFuture(Optional.empty());
    }

    private static @Nullable String version(@Nullable Reservation reservation) {
        return reservation == null ? null : reservation.getMetadata().getResourceVersion();
    }

    private static List<String> pods(WindowKey key) {
        return key.window().placement().stream().map(PlacementSpec::pod).toList();
    }

    private ArrivedMembers arrived(WindowKey key, Reservation reservation, List<BindRequest> present) {
        return new ArrivedMembers(
                key,
                reservation,
                present,
                pod -> ports.roster().isLate(key.gang().namespace(), pod));
    }

    /** Starts a gang unless its start is in progress. */
    private boolean begin(ArrivedMembers arrived, Consumer<ArrivedMembers> step) {
        boolean first = assemblies.putIfAbsent(arrived.key().gang(), arrived) == null;
        if (first) {
            step.accept(arrived);
        }
        return first;
    }

    @Override
    public @Nullable String refusal(GangId gang, Collection<String> pods, boolean tries) {
        return ports.refusals().of(gang, pods, tries);
    }

    @Override
    public boolean isStarting(GangRecord record) {
        ArrivedMembers arrived = assemblies.get(record.gang());
        return arrived != null && arrived.isAtWork();
    }

    /** Answers every waiting call and accepts no more. */
    @Override
    public void close() {
        closed = true;
        for (ArrivedMembers arrived : assemblies.values()) {
            GangStart.turnAway(arrived.fail(), "Slotwise is stopping");
            tidy(arrived);
        }
    }

    private CompletableFuture<BindOutcome> assemble(BindRequest request, Reservation reservation, WindowKey key) {
        if (closed) {
            return answer("Slotwise is stopping");
        }
        if (!timing.clock().instant().isBefore(start.deadline(reservation, key))) {
            return answer(start.notWhole(key));
        }
        ArrivedMembers arrived = assemblyOf(key);
        if (arrived == null) {
            return answer(GangStart.withdrawn(key));
        }
        return switch (arrived.arrive(request)) {
            case ArrivedMembers.Arrival.Waits waits -> await(arrived, waits);
            case ArrivedMembers.Arrival.Late ignoredLate ->
                later(() -> bindLate(request, arrived.reservation(), false));
            case ArrivedMembers.Arrival.TooLate ignoredLate -> answer(GangStart.withdrawn(key));
        };
    }

    /**
     * Returns the arrived members of this window, new if necessary. Null if the gang no longer starts in this window.
     */
    private @Nullable ArrivedMembers assemblyOf(WindowKey key) {
        AtomicReference<ArrivedMembers> createdMembers = new AtomicReference<>();
        AtomicReference<ArrivedMembers> replacedMembers = new AtomicReference<>();
        // The view is read inside, so that the result is never older than the next change.
        ArrivedMembers arrived = assemblies.compute(key.gang(), (gang, presentMembers) -> {
            Reservation currentReservation = inForce(key);
            if (currentReservation == null
                    || (presentMembers != null && presentMembers.key().equals(key))) {
                return presentMembers;
            }
            replacedMembers.set(presentMembers);
            createdMembers.set(arrived(key, currentReservation, ports.roster().direct(key.gang(), key.window())));
            return createdMembers.get();
        });
        if (replacedMembers.get() != null) {
            withdraw(replacedMembers.get());
        }
        if (arrived == null || !arrived.key().equals(key)) {
            return null;
        }
        if (createdMembers.get() == arrived) {
            timing.timer().at(start.deadline(arrived.reservation(), key), () -> expire(arrived));
        }
        return arrived;
    }

    private CompletableFuture<BindOutcome> await(ArrivedMembers arrived, ArrivedMembers.Arrival.Waits waits) {
        if (waits.member() != null) {
            GangStart.turnAway(List.of(waits.member()), "another pod of the same name has replaced it");
        }
        if (waits.whole() > 0) {
            start.whole(arrived, waits.whole());
        }
        return waits.outcome();
    }

    /**
     * Handles a call for a running gang, whose barrier has opened. A pod that the gang did not start with, but that
     * has the name of a member, is planned by itself.
     */
    private CompletableFuture<BindOutcome> follow(BindRequest request, Reservation reservation, WindowKey key) {
        List<String> uids = reservation.getStatus().members();
        if (!uids.isEmpty() && !uids.contains(request.uid())) {
            return unlessBound(request, Waits.FOR_A_PLAN);
        }
        ArrivedMembers arrived = assemblies.get(key.gang());
        if (arrived != null
                && arrived.key().equals(key)
                && arrived.arrive(request) instanceof ArrivedMembers.Arrival.Waits waits) {
            return await(arrived, waits);
        }
        // Long after the start a refused pod is a normal loss, and no reason to end the gang.
        boolean repaired = hasJustStarted(reservation);
        if (!repaired && Reservations.record(reservation).isArriving()) {
            // The next cycle rolls the gang back, so another running member would be useless.
            return unlessBound(request, start.notWhole(key));
        }
        return CompletableFuture.supplyAsync(
                () -> bindLate(request, reservation, repaired),
                task -> timing.timer().at(key.start(), task));
    }

    /**
     * Binds a pod individually.
     *
     * @param runningReservation of its gang
     * @param repaired whether the gang is repaired if the pod is refused
     */
    private BindOutcome bindLate(BindRequest request, Reservation runningReservation, boolean repaired) {
        Result result = binding.bind(request, StartNote.late(runningReservation), MemberBinding.Mandate.ALWAYS);
        String reason = result.reason();
        if (repaired && result instanceof Result.Refused(String refusal)) {
            GangRecord startedRecord = Reservations.record(runningReservation);
            ports.observer().partial(startedRecord.gang());
            start.repair(startedRecord, refusal);
        }
        return reason == null ? new BindOutcome.Bound() : new BindOutcome.NotBound(reason);
    }

    private boolean hasJustStarted(Reservation reservation) {
        String startedAt = reservation.getStatus().startedAt();
        return startedAt != null
                && timing.clock().instant().isBefore(Instant.parse(startedAt).plus(timing.startTimeout()));
    }

    /**
     * Handles a pod without a placement: bound already, too early, or of another scheduler, whose pods are never bound
     * here.
     */
    private BindOutcome withoutPlace(BindRequest request) {
        BindApi.PodAnswer answer = api.readPod(request.namespace(), request.pod());
        if (!(answer instanceof BindApi.PodAnswer.Found found)) {
            return new BindOutcome.NotBound(Waits.FOR_A_PLAN);
        }
        if (!schedulerNames.contains(found.schedulerName())) {
            return new BindOutcome.NotBound(notOurs(request, found.schedulerName()));
        }
        return MemberBinding.judge(request, null, found) instanceof Result.Bound
                ? new BindOutcome.Bound()
                : new BindOutcome.NotBound(Waits.FOR_A_PLAN);
    }

    private String notOurs(BindRequest request, String schedulerName) {
        return "pod %s has schedulerName %s; expected %s"
                .formatted(
                        request.podName(),
                        SafeText.value(schedulerName),
                        String.join(" or ", new TreeSet<>(schedulerNames)));
    }

    private CompletableFuture<BindOutcome> unlessBound(BindRequest request, String reason) {
        return later(() -> binding.isBound(request) ? new BindOutcome.Bound() : new BindOutcome.NotBound(reason));
    }

    private CompletableFuture<BindOutcome> later(Supplier<BindOutcome> outcome) {
        return CompletableFuture.supplyAsync(outcome, timing.executor());
    }

    private static CompletableFuture<BindOutcome> answer(String reason) {
        return CompletableFuture.completedFuture(new BindOutcome.NotBound(reason));
    }

    /** Ends the wait for a gang at its deadline. If the deadline has moved since, waits on. */
    private void expire(ArrivedMembers arrived) {
        Instant deadline = start.deadline(arrived.reservation(), arrived.key());
        if (timing.clock().instant().isBefore(deadline)) {
            timing.timer().at(deadline, () -> expire(arrived));
            return;
        }
        GangStart.turnAway(arrived.fail(), start.notWhole(arrived.key()));
        tidy(arrived);
    }

    private void changed(GangId gang) {
        // computeIfPresent also sees an entry that is being made.
        ArrivedMembers arrived = assemblies.computeIfPresent(gang, (id, presentMembers) -> presentMembers);
        if (arrived == null) {
            return;
        }
        Reservation currentReservation = reservations.byGang(gang);
        if (currentReservation == null || !arrived.key().equals(WindowKey.of(currentReservation))) {
            withdraw(arrived);
            return;
        }
        switch (currentReservation.phase()) {
            case STARTING -> arrived.update(currentReservation);
            case RUNNING -> {
                arrived.update(currentReservation);
                start.bindAll(arrived, arrived.openedElsewhere());
                tidy(arrived);
            }
            case PENDING, PROMISED -> {
                if (arrived.isDirect()) {
                    arrived.update(currentReservation);
                } else {
                    withdraw(arrived);
                }
            }
            case BROKEN, COMPLETED -> withdraw(arrived);
        }
    }

    private void withdraw(ArrivedMembers arrived) {
        arrived.withdraw();
        GangStart.turnAway(arrived.fail(), GangStart.withdrawn(arrived.key()));
        tidy(arrived);
    }

    /**
     * Removes the arrived members of a finished attempt. They stay while the gang is starting, so that a repeated call
     * does not begin a new attempt.
     */
    private void tidy(ArrivedMembers arrived) {
        if (arrived.hasFailed() || (arrived.isSettled() && inForce(arrived.key()) == null)) {
            assemblies.remove(arrived.key().gang(), arrived);
        }
    }

    /** Returns the record of a gang that was released in this window. Null if there is none. */
    private @Nullable Reservation inForce(WindowKey key) {
        Reservation reservation = reservations.byGang(key.gang());
        boolean released = reservation != null && reservation.phase() == Phase.STARTING;
        return released && key.equals(WindowKey.of(reservation)) ? reservation : null;
    }
}
