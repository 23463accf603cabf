package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.bind.MemberBinding.Result;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.Waits;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The start of a whole gang: the promised start, the last check, the status write, the bindings. Every step asks {@link
 * ArrivedMembers} whether it may proceed. A gang that was withdrawn or timed out is left alone.
 */
final class GangStart {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final int CONFLICTS = 3;
    private static final Logger LOG = Logger.getLogger(GangStart.class);

    private final BarrierPorts ports;
    private final BarrierTiming timing;
    private final MemberBinding binding;
    private final PreBindCheck check;
    private final Leadership leadership;
    private final Consumer<ArrivedMembers> arrived;

    /**
     * @param leadership whether this replica plans
     * @param arrived called when an attempt has failed, or all its bindings are answered
     */
    GangStart(
            BarrierPorts ports,
            BarrierTiming timing,
            MemberBinding binding,
            Leadership leadership,
            Consumer<ArrivedMembers> arrived) {
        this.leadership = leadership;
        this.ports = ports;
        this.timing = timing;
        this.binding = binding;
        this.check = new PreBindCheck(ports.capacity());
        this.arrived = arrived;
    }

    /**
     * Returns the instant from which an incomplete gang is given up: the start time-out after its release or its
     * promised start, whichever is later.
     */
    Instant deadline(Reservation reservation, WindowKey key) {
        ReservationStatus status = reservation.getStatus();
        Instant sent = status == null || status.releasedAt() == null ? key.start() : Instant.parse(status.releasedAt());
        return (sent.isAfter(key.start()) ? sent : key.start()).plus(timing.startTimeout());
    }

    String notWhole(WindowKey key) {
        return "not all pods of gang " + key.gang() + " were ready within "
                + timing.startTimeout().toSeconds() + " s of the promised start "
                + key.window().start();
    }

    static String withdrawn(WindowKey key) {
        return "the window of gang " + key.gang() + " from " + key.window().start() + " was withdrawn";
    }

    static void turnAway(List<ArrivedMembers.Member> members, String reason) {
        members.forEach(member -> member.outcome().complete(new BindOutcome.NotBound(reason)));
    }

    /** Handles a whole gang. Its start is made durable at the promised start, or now if that has passed. */
    void whole(ArrivedMembers arrived, int round) {
        timing.timer()
                .at(
                        arrived.key().start(),
                        () -> timing.starts()
                                .execute(arrived.members().size(), () -> guarded(arrived, () -> mark(arrived, round))));
    }

    /** Makes the start durable, and then binds the members. */
    private void mark(ArrivedMembers arrived, int round) {
        Reservation reservation = arrived.beginMark(round);
        if (reservation == null) {
            return;
        }
        List<BindRequest> requests = arrived.members().stream()
                .map(member -> member.request().at(ports.roster().version(member.request())))
                .toList();
        // Read before the check for leadership, because a later epoch would be that of a successor.
        long epoch = leadership.epoch();
        String obstacle = obstacle(arrived, reservation);
        if (obstacle == null) {
            obstacle = check.hold(requests);
        }
        if (obstacle != null) {
            fail(arrived, arrived.failMark(), obstacle);
            return;
        }
        boolean opened = false;
        try {
            opened = mark(arrived, reservation, requests, epoch);
        } finally {
            if (!opened) {
                check.release(requests);
            }
        }
    }

    /** Returns why these pods must not start now, regardless of room, or null. */
    private @Nullable String obstacle(ArrivedMembers arrived, Reservation reservation) {
        if (!mayStart(arrived)) {
            return "this replica is no longer the leader";
        }
        if (!ports.roster().isCurrent()) {
            return Waits.FOR_LATEST_CHANGES;
        }
        return isAsPromised(reservation) ? null : Waits.FOR_A_NEW_LOOK;
    }

    private boolean isAsPromised(Reservation reservation) {
        return ports.roster().isAsPromised(Reservations.record(reservation));
    }

    /** Returns whether this replica may start the gang. Only the leader starts a gang that no leader has released. */
    private boolean mayStart(ArrivedMembers arrived) {
        return !arrived.isDirect() || leadership.getAsBoolean();
    }

    /** Writes the status. Returns whether the start is durable, so that the members are being bound. */
    private boolean mark(ArrivedMembers arrived, Reservation reservation, List<BindRequest> requests, long begun) {
        WindowKey key = arrived.key();
        Reservation versionReservation = reservation;
        long epoch = begun;
        Instant now = timing.clock().instant();
        Instant startedAt = (now.isBefore(key.start()) ? key.start() : now).truncatedTo(ChronoUnit.SECONDS);
        Instant giveUp = arrived.isDirect() ? now.plus(timing.startTimeout()) : deadline(reservation, key);
        int conflicts = 0;
        Duration pause = FIRST_PAUSE;
        while (true) {
            switch (ports.api().markRunning(versionReservation, startedAt, requests, epoch)) {
                case BindApi.MarkAnswer.Marked ignoredMarked -> {
                    opened(arrived, requests);
                    return true;
                }
                case BindApi.MarkAnswer.Conflict conflict -> {
                    Reservation currentReservation = conflict.currentReservation();
                    if (currentReservation == null
                            || !key.equals(WindowKey.of(currentReservation))
                            || !isAsPromised(currentReservation)
                            || ++conflicts > CONFLICTS) {
                        fail(arrived, arrived.failMark(), changedMeanwhile(key));
                        return false;
                    }
                    if (currentReservation.phase() == Phase.RUNNING && started(currentReservation, requests)) {
                        // An earlier try whose answer was lost, or another replica's write.
                        opened(arrived, requests);
                        return true;
                    }
                    if (arrived.isDirect()
                            ? !WindowKey.isPromised(currentReservation)
                            : currentReservation.phase() != Phase.STARTING) {
                        fail(arrived, arrived.failMark(), changedMeanwhile(key));
                        return false;
                    }
                    // Another writer changed something other than the promise. The write is repeated with the current
                    // version.
                    versionReservation = currentReservation;
                    epoch = arrived.isDirect() ? begun : leadership.epoch();
                }
                case BindApi.Refused(String reason) -> {
                    fail(arrived, arrived.failMark(), "gang " + key.gang() + " could not be started: " + reason);
                    return false;
                }
                case BindApi.TooMany(Duration after, String reason) -> {
                    if (!waits(arrived, after, giveUp, reason)) {
                        return false;
                    }
                }
                case BindApi.Unanswered(String reason) -> {
                    if (!waits(arrived, pause, giveUp, reason)) {
                        return false;
                    }
                    pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                }
            }
        }
    }

    /** Waits before the next try. Returns false if there is no time for one, and the attempt has failed. */
    private boolean waits(ArrivedMembers arrived, Duration pause, Instant giveUp, String reason) {
        Instant now = timing.clock().instant();
        if (!now.isBefore(giveUp)) {
            fail(arrived, arrived.failMark(), notStarted(arrived, reason));
            return false;
        }
        Duration left = Duration.between(now, giveUp);
        timing.timer().pause(pause.compareTo(left) < 0 ? pause : left);
        return true;
    }

    private static String notStarted(ArrivedMembers arrived, String reason) {
        return "gang " + arrived.key().gang() + " could not be started: " + reason;
    }

    private static String changedMeanwhile(WindowKey key) {
        return "the reservation of gang " + key.gang() + " was changed while the gang was starting";
    }

    /** Returns whether the gang has started with these pods. True if the record lists no members. */
    static boolean started(Reservation reservation, List<BindRequest> requests) {
        Set<String> uids = Set.copyOf(reservation.getStatus().members());
        return uids.isEmpty() || requests.stream().allMatch(request -> uids.contains(request.uid()));
    }

    private void opened(ArrivedMembers arrived, List<BindRequest> requests) {
        WindowKey key = arrived.key();
        Map<String, BindRequest> byPod = new HashMap<>();
        requests.forEach(request -> byPod.put(request.pod(), request));
        List<ArrivedMembers.Member> members = arrived.open().stream()
                .map(member -> new ArrivedMembers.Member(
                        byPod.getOrDefault(member.request().pod(), member.request()), member.outcome()))
                .toList();
        Instant openedAt = timing.clock().instant();
        bindNow(arrived, members);
        ports.observer().opened(key.gang(), key.start(), openedAt);
    }

    /**
     * Binds the members that a previous leader left unbound after a durable start, if all of them exist and have room.
     */
    void complete(ArrivedMembers arrived) {
        String namespace = arrived.key().gang().namespace();
        String missing = Reservations.record(arrived.reservation()).history().members().entrySet().stream()
                .filter(entry -> !ports.roster().isThere(namespace, entry.getKey(), entry.getValue()))
                .findFirst()
                .map(entry -> "pod " + namespace + "/" + entry.getKey() + " is gone")
                .orElse(null);
        timing.starts().execute(arrived.members().size(), () -> complete(arrived, missing));
    }

    private void complete(ArrivedMembers arrivedMembers, @Nullable String missing) {
        List<ArrivedMembers.Member> members = arrivedMembers.members();
        String obstacle = missing != null ? missing : check.hold(requests(members));
        if (obstacle == null) {
            bindNow(arrivedMembers, members);
        } else {
            repair(arrivedMembers.key().gang(), obstacle);
            arrivedMembers.settle();
            arrived.accept(arrivedMembers);
        }
    }

    /** Binds the members in parallel, not before the promised start. */
    void bindAll(ArrivedMembers arrived, List<ArrivedMembers.Member> members) {
        if (!members.isEmpty()) {
            timing.timer().at(arrived.key().start(), () -> bindNow(arrived, members));
        }
    }

    /** Answers each member as soon as it is bound, and has the gang repaired if one is not. */
    private void bindNow(ArrivedMembers arrived, List<ArrivedMembers.Member> members) {
        AtomicReference<@Nullable String> refusal = new AtomicReference<>();
        MemberBinding.Mandate mandate = new MemberBinding.Mandate() {
            @Override
            public boolean isWithdrawn() {
                return refusal.get() != null || arrived.isWithdrawn();
            }

            @Override
            public MemberBinding.Word confirmed() {
                return switch (ports.api().read(arrived.reservation())) {
                    case BindApi.ReservationAnswer.Found(Reservation currentReservation) ->
                        currentReservation.phase() == Phase.RUNNING
                                        && arrived.key().equals(WindowKey.of(currentReservation))
                                ? MemberBinding.Word.YES
                                : MemberBinding.Word.NO;
                    case BindApi.ReservationAnswer.Absent ignoredAbsent -> MemberBinding.Word.NO;
                    case BindApi.Unanswered ignoredUnanswered -> MemberBinding.Word.NONE;
                };
            }
        };
        List<CompletableFuture<Boolean>> bindings = members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                                () -> binding.bind(member.request(), mandate), timing.bindings())
                        .exceptionally(failure -> unexpected(member, failure))
                        .thenApply(result -> answer(member, result, refusal)))
                .toList();
        var _ = CompletableFuture.allOf(bindings.toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    check.release(requests(members));
                    settle(arrived, bindings, refusal.get());
                });
    }

    private static List<BindRequest> requests(List<ArrivedMembers.Member> members) {
        return members.stream().map(ArrivedMembers.Member::request).toList();
    }

    private static boolean answer(
            ArrivedMembers.Member member, Result result, AtomicReference<@Nullable String> refusal) {
        String reason = switch (result) {
            case Result.Bound ignoredBound -> null;
            case Result.Gone gone -> gone.reason();
            case Result.Refused refused -> refused.reason();
        };
        if (reason == null) {
            member.outcome().complete(new BindOutcome.Bound());
            return true;
        }
        refusal.compareAndSet(null, reason);
        member.outcome().complete(new BindOutcome.NotBound(reason));
        return false;
    }

    private void settle(
            ArrivedMembers arrivedMembers, List<CompletableFuture<Boolean>> bindings, @Nullable String refusal) {
        if (refusal != null) {
            if (bindings.stream().anyMatch(CompletableFuture::join)) {
                ports.observer().partial(arrivedMembers.key().gang());
            }
            repair(arrivedMembers.key().gang(), refusal);
        }
        arrivedMembers.settle();
        arrived.accept(arrivedMembers);
    }

    void repair(GangId gang, String reason) {
        LOG.infof("Gang %s started partially: %s", gang, reason);
        ports.repair().repair(gang, reason);
    }

    private void fail(ArrivedMembers arrivedMembers, List<ArrivedMembers.Member> members, String reason) {
        if (!members.isEmpty()) {
            LOG.infof("Gang %s does not start: %s", arrivedMembers.key().gang(), reason);
        }
        turnAway(members, reason);
        arrived.accept(arrivedMembers);
    }

    /** Runs a step. A failure of it must not leave calls waiting forever. */
    private void guarded(ArrivedMembers arrived, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            LOG.errorf(failure, "Gang %s could not be started", arrived.key().gang());
            String reason = notStarted(arrived, failure.toString());
            fail(arrived, arrived.fail(), reason);
            fail(arrived, arrived.failMark(), reason);
        }
    }

    private static Result unexpected(ArrivedMembers.Member member, Throwable failure) {
        LOG.errorf(failure, "Pod %s could not be bound", member.request().podName());
        return new Result.Refused("pod " + member.request().podName() + " could not be bound: " + failure);
    }
}
