package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.bind.MemberBinding.Result;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.start.Waits;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What happens once a gang is whole: the promised second, the last look, the first binding, the others. Every step asks
 * the {@link ArrivedMembers} whether it is still its turn; a gang that was withdrawn or timed out meanwhile is left
 * alone.
 */
final class GangStart {
    private static final Logger LOG = Logger.getLogger(GangStart.class);

    private final BarrierPorts ports;
    private final BarrierTiming timing;
    private final MemberBinding binding;
    private final PreBindCheck rooms;
    private final Leadership leading;
    private final Consumer<ArrivedMembers> whenOver;

    /**
     * @param leading whether this replica plans
     * @param whenOver told when an assembly has failed, or all its bindings have been answered
     */
    GangStart(
            BarrierPorts ports,
            BarrierTiming timing,
            MemberBinding binding,
            Leadership leading,
            Consumer<ArrivedMembers> whenOver) {
        this.leading = leading;
        this.ports = ports;
        this.timing = timing;
        this.binding = binding;
        this.rooms = new PreBindCheck(ports.rooms());
        this.whenOver = whenOver;
    }

    /**
     * From this instant on a gang that is not whole is not waited for any more: so long after it was sent on its way,
     * or after its second.
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

    /** All members have arrived: their start is made durable in the promised second, or now if that has passed. */
    void whole(ArrivedMembers assembly, int round) {
        timing.timer()
                .at(
                        assembly.key().start(),
                        () -> timing.starts()
                                .execute(
                                        assembly.members().size(),
                                        () -> guarded(assembly, () -> begin(assembly, round))));
    }

    /** Binds the first pod, which makes the start durable, and only then the others. */
    private void begin(ArrivedMembers assembly, int round) {
        Reservation promised = assembly.beginMark(round);
        if (promised == null) {
            return;
        }
        List<BindRequest> requests = assembly.members().stream()
                .map(member -> member.request().at(ports.roster().version(member.request())))
                .toList();
        // Before the question whether this replica leads: a later epoch would be that of the one that has followed it.
        long epoch = leading.epoch();
        String obstacle = obstacle(assembly, promised);
        if (obstacle == null) {
            obstacle = rooms.hold(requests);
        }
        if (obstacle != null) {
            fail(assembly, assembly.failMark(), obstacle);
            return;
        }
        boolean opened = false;
        try {
            opened = begin(assembly, promised, requests, epoch);
        } finally {
            if (!opened) {
                rooms.release(requests);
            }
        }
    }

    /** Why these pods must not start now, whatever room there is; null: they may. */
    private @Nullable String obstacle(ArrivedMembers assembly, Reservation version) {
        if (!mayStart(assembly)) {
            return "this replica is no longer the leader";
        }
        if (!ports.roster().isCurrent()) {
            return Waits.FOR_SIGHT;
        }
        return isAsPromised(version) ? null : Waits.FOR_A_NEW_LOOK;
    }

    private boolean isAsPromised(Reservation version) {
        return ports.roster().isAsPromised(Reservations.standing(version));
    }

    /** Only the leader starts a gang that no leader has sent on its way. */
    private boolean mayStart(ArrivedMembers assembly) {
        return !assembly.isDirect() || leading.getAsBoolean();
    }

    /** Whether the start is durable, so that the members are being bound. */
    private boolean begin(ArrivedMembers assembly, Reservation promised, List<BindRequest> requests, long epoch) {
        WindowKey key = assembly.key();
        Instant now = timing.clock().instant();
        TreeMap<String, String> uids = new TreeMap<>();
        requests.forEach(request -> uids.put(request.pod(), request.uid()));
        GangRecord before = Reservations.standing(promised);
        GangRecord record = before.running((now.isBefore(key.start()) ? key.start() : now).getEpochSecond(), uids);
        Reservation started = StartRecord.of(record);
        started.setSpec(promised.getSpec());
        StartNote note = new StartNote(key.gang(), now.truncatedTo(ChronoUnit.MILLIS), started);
        if (requests.size() > StartRecord.MOST_MEMBERS) {
            if (ports.repair().record(before, record, epoch)) {
                opened(assembly, requests, note, null);
                return true;
            }
            fail(assembly, assembly.failMark(), notStarted(assembly, "its record could not be written"));
            return false;
        }
        Instant giveUp = now.plus(timing.startTimeout());
        BindRequest first = requests.getFirst();
        Result result = binding.bind(
                first,
                note,
                mandate(assembly, () -> timing.clock().instant().isAfter(giveUp) || !isAsPromised(promised)));
        String obstacle = result.reason();
        if (obstacle == null) {
            ports.reservations().started(started);
            opened(assembly, requests, note, first);
            return true;
        }
        fail(assembly, assembly.failMark(), obstacle);
        if (!(result instanceof Result.Left)) {
            repair(record, obstacle);
        }
        return false;
    }

    private static String notStarted(ArrivedMembers assembly, String reason) {
        return "gang " + assembly.key().gang() + " could not be started: " + reason;
    }

    /** Whether the gang has started with these pods; a record from before members were kept does not say. */
    static boolean started(Reservation reservation, List<BindRequest> requests) {
        Set<String> uids = Set.copyOf(reservation.getStatus().members());
        return uids.isEmpty() || requests.stream().allMatch(request -> uids.contains(request.uid()));
    }

    /**
     * The start is durable: binds the members.
     *
     * @param bound the pod that is bound with it; null: none
     */
    private void opened(
            ArrivedMembers assembly, List<BindRequest> requests, StartNote note, @Nullable BindRequest bound) {
        WindowKey key = assembly.key();
        Reservation started = Objects.requireNonNull(note.record());
        Map<String, BindRequest> byPod = new HashMap<>();
        requests.forEach(request -> byPod.put(request.pod(), request));
        List<ArrivedMembers.Member> others = new ArrayList<>();
        for (ArrivedMembers.Member member : assembly.open(started)) {
            BindRequest request = byPod.getOrDefault(member.request().pod(), member.request());
            if (request.equals(bound)) {
                rooms.release(List.of(request));
                member.outcome().complete(new BindOutcome.Bound());
            } else {
                others.add(new ArrivedMembers.Member(request, member.outcome()));
            }
        }
        Instant openedAt = timing.clock().instant();
        bindNow(assembly, others, note.others(), bound != null);
        ports.observer().opened(key.gang(), key.start(), openedAt);
        assembly.started().complete(Optional.of(Reservations.standing(started)));
    }

    /**
     * Binds the members of a gang whose start is durable that a predecessor has left unbound, if all of them are there
     * and have room.
     */
    void complete(ArrivedMembers assembly) {
        String namespace = assembly.key().gang().namespace();
        String missing = Reservations.standing(assembly.reservation()).history().members().entrySet().stream()
                .filter(member -> !ports.roster().isThere(namespace, member.getKey(), member.getValue()))
                .findFirst()
                .map(member -> "pod " + namespace + "/" + member.getKey() + " is gone")
                .orElse(null);
        timing.starts().execute(assembly.members().size(), () -> complete(assembly, missing));
    }

    private void complete(ArrivedMembers assembly, @Nullable String missing) {
        List<ArrivedMembers.Member> members = assembly.members();
        String obstacle = missing != null ? missing : rooms.hold(requests(members));
        if (obstacle == null) {
            bindNow(assembly, members, StartNote.late(assembly.reservation()), false);
        } else {
            repair(Reservations.standing(assembly.reservation()), obstacle);
            assembly.settle();
            whenOver.accept(assembly);
        }
    }

    /** Binds the members at the same time, not before the promised second. */
    void bindAll(ArrivedMembers assembly, List<ArrivedMembers.Member> members) {
        if (!members.isEmpty()) {
            timing.timer()
                    .at(
                            assembly.key().start(),
                            () -> bindNow(assembly, members, StartNote.late(assembly.reservation()), true));
        }
    }

    /**
     * Answers each member as soon as it is bound, and has the gang repaired if one is not.
     *
     * @param note that its Binding carries
     * @param begun whether another member is bound
     */
    private void bindNow(ArrivedMembers assembly, List<ArrivedMembers.Member> members, StartNote note, boolean begun) {
        AtomicReference<@Nullable String> refusal = new AtomicReference<>();
        MemberBinding.Mandate mandate = mandate(assembly, () -> refusal.get() != null);
        List<CompletableFuture<Boolean>> bindings = members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                                () -> binding.bind(member.request(), note, mandate), timing.bindings())
                        .exceptionally(bug -> unexpected(member, bug))
                        .thenApply(result -> answer(member, result, refusal)))
                .toList();
        var _ = CompletableFuture.allOf(bindings.toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    rooms.release(requests(members));
                    settle(assembly, begun || bindings.stream().anyMatch(CompletableFuture::join), refusal.get());
                });
    }

    /** Until when the members of a gang may be bound: while its window stands, and its leader leads. */
    private MemberBinding.Mandate mandate(ArrivedMembers assembly, BooleanSupplier ended) {
        return new MemberBinding.Mandate() {
            @Override
            public boolean isWithdrawn() {
                return ended.getAsBoolean() || assembly.isWithdrawn() || !mayStart(assembly);
            }

            @Override
            public MemberBinding.Word confirmed() {
                Reservation record = assembly.reservation();
                boolean unwritten = record.getMetadata().getResourceVersion() == null;
                return switch (ports.api().read(record)) {
                    case BindApi.ReservationAnswer.Found(Reservation current) ->
                        assembly.key().isOpenIn(current) ? MemberBinding.Word.YES : MemberBinding.Word.NO;
                    case BindApi.ReservationAnswer.Absent ignored ->
                        unwritten ? MemberBinding.Word.YES : MemberBinding.Word.NO;
                    case BindApi.Unanswered ignored -> MemberBinding.Word.NONE;
                };
            }
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

    private void settle(ArrivedMembers assembly, boolean partial, @Nullable String refusal) {
        if (refusal != null) {
            if (partial) {
                ports.observer().partial(assembly.key().gang());
            }
            repair(Reservations.standing(assembly.reservation()), refusal);
        }
        assembly.settle();
        whenOver.accept(assembly);
    }

    /** Has a started gang rolled back. */
    void repair(GangRecord started, String reason) {
        LOG.infof("Gang %s started partially: %s", started.gang(), reason);
        ports.repair().repair(started, reason);
    }

    private void fail(ArrivedMembers assembly, List<ArrivedMembers.Member> members, String reason) {
        if (!members.isEmpty()) {
            LOG.infof("Gang %s does not start: %s", assembly.key().gang(), reason);
        }
        turnAway(members, reason);
        whenOver.accept(assembly);
    }

    /** A bug must not leave calls waiting for ever. */
    private void guarded(ArrivedMembers assembly, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException bug) {
            LOG.errorf(bug, "Gang %s could not be started", assembly.key().gang());
            String reason = notStarted(assembly, bug.toString());
            fail(assembly, assembly.fail(), reason);
            fail(assembly, assembly.failMark(), reason);
            assembly.started().complete(Optional.empty());
        }
    }

    private static Result unexpected(ArrivedMembers.Member member, Throwable bug) {
        LOG.errorf(bug, "Pod %s could not be bound", member.request().podName());
        return new Result.Refused("pod " + member.request().podName() + " could not be bound: " + bug);
    }
}
