package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.bind.MemberBinding.Result;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.start.Waits;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The start of a whole gang: the promised start, the last check, the first binding, the others. Every step asks {@link
 * ArrivedMembers} whether it may proceed. A gang that was withdrawn or timed out is left alone.
 */
final class GangStart {
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
                                .execute(
                                        arrived.members().size(), () -> guarded(arrived, () -> begin(arrived, round))));
    }

    /** Makes the start durable, and then binds the members. */
    private void begin(ArrivedMembers arrived, int round) {
        Reservation reservation = arrived.beginBinding(round);
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
            fail(arrived, arrived.failBinding(), obstacle);
            return;
        }
        boolean opened = false;
        try {
            opened = bindFirst(arrived, reservation, requests, epoch);
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

    /** Makes the first binding. Returns whether the start is durable, so that the members are being bound. */
    private boolean bindFirst(ArrivedMembers arrived, Reservation reservation, List<BindRequest> requests, long epoch) {
        WindowKey key = arrived.key();
        Instant now = timing.clock().instant();
        TreeMap<String, String> uids = new TreeMap<>();
        requests.forEach(request -> uids.put(request.pod(), request.uid()));
        GangRecord before = Reservations.record(reservation);
        GangRecord record = before.running((now.isBefore(key.start()) ? key.start() : now).getEpochSecond(), uids);
        Reservation startedReservation = StartRecord.of(record);
        startedReservation.setSpec(reservation.getSpec());
        StartNote note = new StartNote(key.gang(), now.truncatedTo(ChronoUnit.MILLIS), startedReservation);
        if (requests.size() > StartRecord.MOST_MEMBERS) {
            if (ports.records().under(epoch).write(before, record) instanceof RecordStore.Outcome.Written) {
                opened(arrived, requests, note, false);
                return true;
            }
            fail(arrived, arrived.failBinding(), notStarted(arrived, "its record could not be written"));
            return false;
        }
        Instant giveUp = now.plus(timing.startTimeout());
        Result result = binding.bind(
                requests.getFirst(),
                note,
                mandate(arrived, () -> timing.clock().instant().isAfter(giveUp) || !isAsPromised(reservation)));
        String obstacle = result.reason();
        if (obstacle == null) {
            ports.reservations().started(startedReservation);
            opened(arrived, requests, note, true);
            return true;
        }
        // The gang is at work until it is rolled back, so that no other start begins before.
        if (!(result instanceof Result.Left)) {
            repair(record, obstacle);
        }
        fail(arrived, arrived.failBinding(), obstacle);
        return false;
    }

    private static String notStarted(ArrivedMembers arrived, String reason) {
        return "gang " + arrived.key().gang() + " could not be started: " + reason;
    }

    /**
     * Binds the members of a durable start.
     *
     * @param begun whether the first of them is bound already
     */
    private void opened(ArrivedMembers arrived, List<BindRequest> requests, StartNote note, boolean begun) {
        WindowKey key = arrived.key();
        Reservation startedReservation = Objects.requireNonNull(note.startReservation());
        List<ArrivedMembers.Member> members = arrived.open(startedReservation);
        if (begun) {
            check.release(requests.subList(0, 1));
            members.getFirst().outcome().complete(new BindOutcome.Bound());
        }
        List<ArrivedMembers.Member> others = IntStream.range(begun ? 1 : 0, members.size())
                .mapToObj(i -> new ArrivedMembers.Member(
                        requests.get(i), members.get(i).outcome()))
                .toList();
        Instant openedAt = timing.clock().instant();
        // The second pod carries the record, too, for the case that the first one goes before it is written.
        BindRequest second = begun && requests.size() > 1 ? requests.get(1) : null;
        bindNow(arrived, others, request -> request.equals(second) ? note : note.others(), begun);
        ports.observer().opened(key.gang(), key.start(), openedAt);
        arrived.started().complete(Optional.of(Reservations.record(startedReservation)));
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
            bindNow(arrivedMembers, members, late(arrivedMembers), false);
        } else {
            repair(Reservations.record(arrivedMembers.reservation()), obstacle);
            arrivedMembers.settle();
            arrived.accept(arrivedMembers);
        }
    }

    /** Binds the members in parallel, not before the promised start. */
    void bindAll(ArrivedMembers arrived, List<ArrivedMembers.Member> members) {
        if (!members.isEmpty()) {
            timing.timer().at(arrived.key().start(), () -> bindNow(arrived, members, late(arrived), true));
        }
    }

    private static Function<BindRequest, StartNote> late(ArrivedMembers arrived) {
        StartNote note = StartNote.late(arrived.reservation());
        return _ -> note;
    }

    /**
     * Answers each member as soon as it is bound, and has the gang repaired if one is not.
     *
     * @param notes the note in the Binding of each
     * @param begun whether another member is bound
     */
    private void bindNow(
            ArrivedMembers arrived,
            List<ArrivedMembers.Member> members,
            Function<BindRequest, StartNote> notes,
            boolean begun) {
        AtomicReference<@Nullable String> refusal = new AtomicReference<>();
        MemberBinding.Mandate mandate = mandate(arrived, () -> refusal.get() != null);
        List<CompletableFuture<Boolean>> bindings = members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                                () -> binding.bind(member.request(), notes.apply(member.request()), mandate),
                                timing.bindings())
                        .exceptionally(failure -> unexpected(member, failure))
                        .thenApply(result -> answer(member, result, refusal)))
                .toList();
        var _ = CompletableFuture.allOf(bindings.toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    check.release(requests(members));
                    settle(arrived, begun || bindings.stream().anyMatch(CompletableFuture::join), refusal.get());
                });
    }

    /** Returns the mandate to bind the members of a gang while its window is open and its leader leads. */
    private MemberBinding.Mandate mandate(ArrivedMembers arrived, BooleanSupplier ended) {
        return new MemberBinding.Mandate(
                () -> ended.getAsBoolean() || arrived.isWithdrawn() || !mayStart(arrived), () -> confirmed(arrived));
    }

    private MemberBinding.Word confirmed(ArrivedMembers arrived) {
        return switch (ports.api().read(arrived.reservation())) {
            case BindApi.ReservationAnswer.Found(Reservation currentReservation) ->
                // A newer version for a gang that has started has reached the arrived members.
                Reservations.record(currentReservation).isOpenFor(Reservations.record(arrived.reservation()))
                        ? MemberBinding.Word.YES
                        : MemberBinding.Word.NO;
            case BindApi.ReservationAnswer.Absent ignoredAbsent ->
                arrived.reservation().getMetadata().getResourceVersion() == null
                        ? MemberBinding.Word.YES
                        : MemberBinding.Word.NO;
            case BindApi.Unanswered ignoredUnanswered -> MemberBinding.Word.NONE;
        };
    }

    private static List<BindRequest> requests(List<ArrivedMembers.Member> members) {
        return members.stream().map(ArrivedMembers.Member::request).toList();
    }

    private static boolean answer(
            ArrivedMembers.Member member, Result result, AtomicReference<@Nullable String> refusal) {
        String reason = result.reason();
        if (reason == null) {
            member.outcome().complete(new BindOutcome.Bound());
            return true;
        }
        if (!(result instanceof Result.Left)) {
            refusal.compareAndSet(null, reason);
        }
        member.outcome().complete(new BindOutcome.NotBound(reason));
        return false;
    }

    private void settle(ArrivedMembers arrivedMembers, boolean partial, @Nullable String refusal) {
        if (refusal != null) {
            if (partial) {
                ports.observer().partial(arrivedMembers.key().gang());
            }
            repair(Reservations.record(arrivedMembers.reservation()), refusal);
        }
        arrivedMembers.settle();
        arrived.accept(arrivedMembers);
    }

    void repair(GangRecord startedRecord, String reason) {
        LOG.infof("Gang %s started partially: %s", startedRecord.gang(), reason);
        ports.repair().repair(startedRecord, reason);
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
        } catch (RuntimeException | Error failure) {
            LOG.errorf(failure, "Gang %s could not be started", arrived.key().gang());
            String reason = notStarted(arrived, failure.toString());
            fail(arrived, arrived.fail(), reason);
            fail(arrived, arrived.failBinding(), reason);
            arrived.started().complete(Optional.empty());
            if (failure instanceof Error error) {
                throw error;
            }
        }
    }

    private static Result unexpected(ArrivedMembers.Member member, Throwable failure) {
        LOG.errorf(failure, "Pod %s could not be bound", member.request().podName());
        return new Result.Refused("pod " + member.request().podName() + " could not be bound: " + failure);
    }
}
