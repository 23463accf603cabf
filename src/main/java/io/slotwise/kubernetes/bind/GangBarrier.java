package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.bind.MemberBinding.Result;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.extender.ReservationView;
import io.slotwise.kubernetes.extender.ReservedSeat;
import io.slotwise.live.port.DirectStarter;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.Waits;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
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
 * Binds the pods of a gang together or not at all. A gang that Slotwise binds itself comes here as a whole when its
 * second has come. Of one with members that go through kube-scheduler, the call for such a member waits until all of
 * them have called and the promised second has come; {@link GangStart} then starts the gang. Calls hold no thread of a
 * pool and no lock while they wait.
 *
 * <p>There is one {@link ArrivedMembers} for a gang at most. It begins with the first call, and ends when the gang is
 * bound, when its reservation promises something else, or {@code startTimeout} after the promised start. Calls that
 * wait then are answered.
 */
public final class GangBarrier implements DirectStarter, AutoCloseable {

    private final ReservationView reservations;
    private final BindApi api;
    private final BarrierTiming timing;
    private final Set<String> schedulerNames;
    private final MemberBinding binding;
    private final GangStart opening;
    private final BarrierPorts ports;
    private final ConcurrentMap<GangId, ArrivedMembers> assemblies = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param ports whom it talks to; it listens to changes of the reservations from now on
     * @param timing how it waits
     * @param leading whether this replica plans
     * @param schedulerNames the scheduler names that pods of ours ask for; others are never bound
     */
    public GangBarrier(BarrierPorts ports, BarrierTiming timing, Leadership leading, Set<String> schedulerNames) {
        this.ports = ports;
        this.reservations = ports.reservations();
        this.api = ports.api();
        this.timing = timing;
        this.schedulerNames = Set.copyOf(schedulerNames);
        this.binding = new MemberBinding(ports, timing, leading);
        this.opening = new GangStart(ports, timing, binding, leading, this::tidy);
        reservations.onChange(this::changed);
    }

    /**
     * Binds one pod when its gang may start. A repeated call for the same pod gets the same answer.
     *
     * @return completed when the pod is bound or known not to be
     */
    public CompletableFuture<BindOutcome> bind(BindRequest request) {
        ReservedSeat seat = reservations.seat(request.namespace(), request.pod());
        PlacementSpec place = seat == null ? null : seat.placement();
        if (seat == null || place == null) {
            return later(() -> withoutPlace(request));
        }
        String schedulerName = ports.roster().schedulerName(request);
        if (schedulerName != null && !schedulerNames.contains(schedulerName)) {
            // A pod of another scheduler that has the name of one of ours.
            return answer(notOurs(request, schedulerName));
        }
        WindowKey key = WindowKey.of(seat.reservation());
        if (key == null) {
            return unlessBound(request, Waits.FOR_A_PLAN);
        }
        String promise = "promised on node " + place.node() + " from " + place.start();
        if (!place.node().equals(request.node())) {
            return unlessBound(request, promise);
        }
        return switch (seat.reservation().phase()) {
            case PENDING, COMPLETED, BROKEN -> unlessBound(request, Waits.FOR_A_PLAN);
            case PROMISED -> unlessBound(request, promise);
            case STARTING -> assemble(request, seat.reservation(), key);
            case RUNNING -> follow(request, seat.reservation(), key);
        };
    }

    @Override
    public CompletableFuture<Optional<GangRecord>> start(GangRecord record) {
        Reservation known = reservations.byGang(record.gang());
        boolean runs = known != null && known.phase() == Phase.RUNNING;
        Reservation reservation = runs || hasWindowOf(known, record) ? known : StartRecord.of(record);
        WindowKey key = WindowKey.of(reservation);
        boolean current = runs || record.version().equals(known == null ? "" : version(known));
        if (!closed && current && key != null) {
            ArrivedMembers arrived = arrived(key, reservation, ports.roster().direct(key.gang(), key.window()));
            if (runs) {
                // The members that were to be bound when a predecessor died.
                ArrivedMembers late = arrived.unbound(ports.roster()::version);
                if (!late.members().isEmpty()) {
                    begin(late, opening::complete);
                }
            } else if (arrived.isDirect()
                    && WindowKey.isPromised(reservation)
                    && api.refusal(key.gang(), pods(key), true) == null
                    && begin(arrived, whole -> opening.whole(whole, 1))) {
                return arrived.started();
            }
        }
        return CompletableFuture.completedFuture(Optional.empty());
    }

    private static boolean hasWindowOf(@Nullable Reservation known, GangRecord record) {
        return known != null && Reservations.standing(known).hasWindowOf(record);
    }

    private static String version(Reservation reservation) {
        String version = reservation.getMetadata().getResourceVersion();
        return version == null ? "" : version;
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

    /** Starts a gang by itself, unless that is under way. */
    private boolean begin(ArrivedMembers arrived, Consumer<ArrivedMembers> step) {
        boolean first = assemblies.putIfAbsent(arrived.key().gang(), arrived) == null;
        if (first) {
            step.accept(arrived);
        }
        return first;
    }

    @Override
    public @Nullable String refusal(GangId gang, Collection<String> pods, boolean tries) {
        return api.refusal(gang, pods, tries);
    }

    @Override
    public boolean isStarting(GangRecord standing) {
        ArrivedMembers assembly = assemblies.get(standing.gang());
        return assembly != null && assembly.isAtWork();
    }

    /** Answers every call that waits, and waits no more. */
    @Override
    public void close() {
        closed = true;
        for (ArrivedMembers assembly : assemblies.values()) {
            GangStart.turnAway(assembly.fail(), "Slotwise is stopping");
            tidy(assembly);
        }
    }

    private CompletableFuture<BindOutcome> assemble(BindRequest request, Reservation reservation, WindowKey key) {
        if (closed) {
            return answer("Slotwise is stopping");
        }
        if (!timing.clock().instant().isBefore(opening.deadline(reservation, key))) {
            return answer(opening.notWhole(key));
        }
        ArrivedMembers assembly = assemblyOf(key);
        if (assembly == null) {
            return answer(GangStart.withdrawn(key));
        }
        return switch (assembly.arrive(request)) {
            case ArrivedMembers.Arrival.Waits waits -> await(assembly, waits);
            case ArrivedMembers.Arrival.Late ignored -> later(() -> bindLate(request, assembly.reservation(), false));
            case ArrivedMembers.Arrival.TooLate ignored -> answer(GangStart.withdrawn(key));
        };
    }

    /** The assembly of this window, new if need be; null if the gang is not starting in it any more. */
    private @Nullable ArrivedMembers assemblyOf(WindowKey key) {
        AtomicReference<ArrivedMembers> created = new AtomicReference<>();
        AtomicReference<ArrivedMembers> replaced = new AtomicReference<>();
        // The view is read inside: an assembly is never older than the change that is told next.
        ArrivedMembers assembly = assemblies.compute(key.gang(), (gang, present) -> {
            Reservation current = reservations.byGang(gang);
            boolean inForce = current != null && current.phase() == Phase.STARTING && key.equals(WindowKey.of(current));
            if (current == null || !inForce || (present != null && present.key().equals(key))) {
                return present;
            }
            replaced.set(present);
            created.set(arrived(key, current, ports.roster().direct(key.gang(), key.window())));
            return created.get();
        });
        if (replaced.get() != null) {
            withdraw(replaced.get());
        }
        if (assembly == null || !assembly.key().equals(key)) {
            return null;
        }
        if (created.get() == assembly) {
            timing.timer().at(opening.deadline(assembly.reservation(), key), () -> expire(assembly));
        }
        return assembly;
    }

    private CompletableFuture<BindOutcome> await(ArrivedMembers assembly, ArrivedMembers.Arrival.Waits waits) {
        if (waits.replaced() != null) {
            GangStart.turnAway(List.of(waits.replaced()), "another pod of the same name has replaced it");
        }
        if (waits.whole() > 0) {
            opening.whole(assembly, waits.whole());
        }
        return waits.outcome();
    }

    /** A member of a gang that runs: its barrier has opened already. Another pod of its name has a start of its own. */
    private CompletableFuture<BindOutcome> follow(BindRequest request, Reservation reservation, WindowKey key) {
        if (!GangStart.started(reservation, List.of(request))) {
            return unlessBound(request, Waits.FOR_A_PLAN);
        }
        ArrivedMembers assembly = assemblies.get(key.gang());
        if (assembly != null
                && assembly.key().equals(key)
                && assembly.arrive(request) instanceof ArrivedMembers.Arrival.Waits waits) {
            return await(assembly, waits);
        }
        if (!hasJustStarted(reservation) && isOnlyOpened(reservation)) {
            // The next cycle takes the gang back: one more that runs would run for nothing.
            return unlessBound(request, opening.notWhole(key));
        }
        // Long after the start a pod that is refused is a loss among others, and no reason to end the gang.
        boolean repaired = hasJustStarted(reservation);
        return CompletableFuture.supplyAsync(
                () -> bindLate(request, reservation, repaired),
                task -> timing.timer().at(key.start(), task));
    }

    /** Binds a pod of a gang that runs by itself; {@code repaired}: its gang is, if it is refused. */
    private BindOutcome bindLate(BindRequest request, Reservation running, boolean repaired) {
        return switch (binding.bind(request, StartNote.late(running), MemberBinding.Mandate.ALWAYS)) {
            case Result.Bound ignored -> new BindOutcome.Bound();
            case Result.Gone(String reason) -> new BindOutcome.NotBound(reason);
            case Result.Left(String reason) -> new BindOutcome.NotBound(reason);
            case Result.Refused(String reason) -> {
                if (repaired) {
                    GangRecord started = Reservations.standing(running);
                    ports.observer().partial(started.gang());
                    opening.repair(started, reason);
                }
                yield new BindOutcome.NotBound(reason);
            }
        };
    }

    private boolean hasJustStarted(Reservation reservation) {
        ReservationStatus status = reservation.getStatus();
        return status != null
                && status.startedAt() != null
                && timing.clock()
                        .instant()
                        .isBefore(Instant.parse(status.startedAt()).plus(timing.startTimeout()));
    }

    /** Whether no replica has seen all members bound since the barrier opened. */
    private static boolean isOnlyOpened(Reservation reservation) {
        ReservationStatus status = reservation.getStatus();
        return status != null
                && status.conditions().stream()
                        .anyMatch(condition -> condition.type().equals("Started")
                                && (condition.reason().equals(GangRecord.FIRST_BOUND)
                                        || condition.reason().equals(GangRecord.BARRIER_OPENED)));
    }

    /** A pod without a place: bound already, too early, or of another scheduler, whose pods are never bound here. */
    private BindOutcome withoutPlace(BindRequest request) {
        BindApi.PodAnswer answer = api.readPod(request.namespace(), request.pod());
        if (!(answer instanceof BindApi.PodAnswer.Found pod)) {
            return new BindOutcome.NotBound(Waits.FOR_A_PLAN);
        }
        if (!schedulerNames.contains(pod.schedulerName())) {
            return new BindOutcome.NotBound(notOurs(request, pod.schedulerName()));
        }
        return MemberBinding.judge(request, null, pod) instanceof Result.Bound
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

    private CompletableFuture<BindOutcome> later(Supplier<BindOutcome> work) {
        return CompletableFuture.supplyAsync(work, timing.executor());
    }

    private static CompletableFuture<BindOutcome> answer(String reason) {
        return CompletableFuture.completedFuture(new BindOutcome.NotBound(reason));
    }

    /** Ends the wait for a gang, unless it has been given more time meanwhile. */
    private void expire(ArrivedMembers assembly) {
        Instant deadline = opening.deadline(assembly.reservation(), assembly.key());
        if (timing.clock().instant().isBefore(deadline)) {
            timing.timer().at(deadline, () -> expire(assembly));
            return;
        }
        GangStart.turnAway(assembly.fail(), opening.notWhole(assembly.key()));
        tidy(assembly);
    }

    private void changed(GangId gang) {
        // By way of computeIfPresent, so that an assembly that is being made is seen.
        ArrivedMembers assembly = assemblies.computeIfPresent(gang, (id, present) -> present);
        if (assembly == null) {
            return;
        }
        Reservation current = reservations.byGang(gang);
        if (current == null || !assembly.key().equals(WindowKey.of(current))) {
            withdraw(assembly);
            return;
        }
        switch (current.phase()) {
            case STARTING -> assembly.update(current);
            case RUNNING -> {
                assembly.update(current);
                opening.bindAll(assembly, assembly.openedElsewhere());
                tidy(assembly);
            }
            case PROMISED -> {
                if (assembly.isDirect()) {
                    assembly.update(current);
                } else {
                    withdraw(assembly);
                }
            }
            case PENDING -> {
                if (assembly.isDirect() && WindowKey.isPromised(current)) {
                    assembly.update(current);
                } else {
                    withdraw(assembly);
                }
            }
            case BROKEN, COMPLETED -> withdraw(assembly);
        }
    }

    private void withdraw(ArrivedMembers assembly) {
        assembly.withdraw();
        GangStart.turnAway(assembly.fail(), GangStart.withdrawn(assembly.key()));
        tidy(assembly);
    }

    /** Forgets an assembly that is over, once a new call would not begin it again. */
    private void tidy(ArrivedMembers assembly) {
        if (assembly.hasFailed() || (assembly.isSettled() && !isStarting(assembly.key()))) {
            assemblies.remove(assembly.key().gang(), assembly);
        }
    }

    private boolean isStarting(WindowKey key) {
        Reservation current = reservations.byGang(key.gang());
        return current != null && current.phase() == Phase.STARTING && key.equals(WindowKey.of(current));
    }
}
