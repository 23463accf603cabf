package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.bind.MemberBinding.Result;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.live.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What happens once a gang is whole: the last look, the write, the promised second, the bindings. Every step asks the
 * {@link Assembly} whether it is still its turn; a gang that was withdrawn or timed out meanwhile is left alone.
 */
final class Opening {
    /**
     * The API server is asked for the nodes and the pods this long before the promised second: many gangs may start in one second,
     * and their questions must not delay the start. What has changed since then is seen by the watch.
     */
    static final Duration LOOK_AHEAD = Duration.ofMillis(900);

    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);
    private static final int CONFLICTS = 3;
    private static final Logger LOG = Logger.getLogger(Opening.class);

    private final BarrierPorts ports;
    private final BarrierTiming timing;
    private final MemberBinding binding;
    private final RollCall rollCall;
    private final Consumer<Assembly> whenOver;

    /**
     * @param whenOver told when an assembly has failed, or all its bindings have been answered
     */
    Opening(BarrierPorts ports, BarrierTiming timing, MemberBinding binding, Consumer<Assembly> whenOver) {
        this.ports = ports;
        this.timing = timing;
        this.binding = binding;
        this.rollCall = new RollCall(ports.api(), ports.rooms(), timing.executor());
        this.whenOver = whenOver;
    }

    /** From this instant on a gang that is not whole is not waited for any more. */
    Instant deadline(WindowKey key) {
        return key.start().plus(timing.startTimeout());
    }

    String notWhole(WindowKey key) {
        return "gang " + key.gang() + " was not whole " + timing.startTimeout().toSeconds()
                + " s after its promised start " + key.window().start();
    }

    static String withdrawn(WindowKey key) {
        return "the window of gang " + key.gang() + " from " + key.window().start() + " is not in force";
    }

    static void turnAway(List<Assembly.Member> members, String reason) {
        members.forEach(member -> member.outcome().complete(new BindOutcome.NotBound(reason)));
    }

    /** All members have arrived: looks at them shortly before the promised second, or now if that has passed. */
    void whole(Assembly assembly, int round) {
        timing.timer()
                .at(assembly.key().start().minus(LOOK_AHEAD), () -> guarded(assembly, () -> look(assembly, round)));
    }

    private void look(Assembly assembly, int round) {
        List<Assembly.Member> members = assembly.beginCheck(round);
        while (assembly.isChecking(round)) {
            switch (rollCall.of(members)) {
                case RollCall.Finding.Complete ignored -> {
                    if (assembly.ready(round)) {
                        timing.timer()
                                .at(
                                        assembly.key().start(),
                                        () -> guarded(assembly, () -> mark(assembly, round, members)));
                    }
                }
                case RollCall.Finding.Obstacle(String reason) -> fail(assembly, assembly.failCheck(round), reason);
                case RollCall.Finding.Unanswered ignored -> timing.timer().pause(RETRY_PAUSE);
            }
        }
    }

    /** Makes the start durable, and only then has anybody bound. */
    private void mark(Assembly assembly, int round, List<Assembly.Member> members) {
        Reservation version = assembly.beginMark(round);
        if (version == null) {
            return;
        }
        String obstacle = rollCall.seenSince(members);
        if (obstacle != null) {
            fail(assembly, assembly.failMark(), obstacle);
            return;
        }
        WindowKey key = assembly.key();
        Instant now = timing.clock().instant();
        Instant startedAt = now.isBefore(key.start()) ? key.start() : now;
        int conflicts = 0;
        while (true) {
            switch (ports.api().markRunning(version, startedAt.truncatedTo(ChronoUnit.SECONDS))) {
                case BindApi.MarkAnswer.Marked ignored -> {
                    opened(assembly);
                    return;
                }
                case BindApi.MarkAnswer.Conflict conflict -> {
                    Reservation current = conflict.current();
                    if (current == null || !key.equals(WindowKey.of(current)) || ++conflicts > CONFLICTS) {
                        fail(assembly, assembly.failMark(), changedMeanwhile(key));
                        return;
                    }
                    if (current.phase() == Phase.RUNNING) {
                        // The write of an earlier try whose answer was lost, or another replica's.
                        opened(assembly);
                        return;
                    }
                    if (current.phase() != Phase.STARTING) {
                        fail(assembly, assembly.failMark(), changedMeanwhile(key));
                        return;
                    }
                    // Somebody wrote beside the promise, which is as it was: the same write, with the version of now.
                    version = current;
                }
                case BindApi.MarkAnswer.Refused(String reason) -> {
                    fail(assembly, assembly.failMark(), "gang " + key.gang() + " could not be started: " + reason);
                    return;
                }
                case BindApi.MarkAnswer.Unanswered(String reason) -> {
                    if (!timing.clock().instant().isBefore(deadline(key))) {
                        fail(assembly, assembly.failMark(), "gang " + key.gang() + " could not be started: " + reason);
                        return;
                    }
                    timing.timer().pause(RETRY_PAUSE);
                }
            }
        }
    }

    private static String changedMeanwhile(WindowKey key) {
        return "the reservation of gang " + key.gang() + " was changed while the gang was starting";
    }

    private void opened(Assembly assembly) {
        WindowKey key = assembly.key();
        List<Assembly.Member> members = assembly.open();
        timing.timer().at(key.start(), () -> {
            Instant openedAt = timing.clock().instant();
            bindNow(assembly, members);
            ports.observer().opened(key.gang(), key.start(), openedAt);
        });
    }

    /** Binds the members at the same time, not before the promised second. */
    void bindAll(Assembly assembly, List<Assembly.Member> members) {
        if (!members.isEmpty()) {
            timing.timer().at(assembly.key().start(), () -> bindNow(assembly, members));
        }
    }

    /** Answers each member as soon as it is bound, and has the gang repaired if one is not. */
    private void bindNow(Assembly assembly, List<Assembly.Member> members) {
        AtomicReference<@Nullable String> refusal = new AtomicReference<>();
        List<CompletableFuture<Boolean>> bindings = members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                                () -> binding.bind(
                                        member.request(), () -> refusal.get() != null || assembly.isWithdrawn()),
                                timing.executor())
                        .exceptionally(bug -> unexpected(member, bug))
                        .thenApply(result -> answer(member, result, refusal)))
                .toList();
        var _ = CompletableFuture.allOf(bindings.toArray(CompletableFuture[]::new))
                .thenRun(() -> settle(assembly, bindings, refusal.get()));
    }

    private static boolean answer(Assembly.Member member, Result result, AtomicReference<@Nullable String> refusal) {
        String reason = switch (result) {
            case Result.Bound ignored -> null;
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

    private void settle(Assembly assembly, List<CompletableFuture<Boolean>> bindings, @Nullable String refusal) {
        assembly.settle();
        whenOver.accept(assembly);
        if (refusal == null) {
            return;
        }
        if (bindings.stream().anyMatch(CompletableFuture::join)) {
            ports.observer().partial(assembly.key().gang());
        }
        repair(assembly.key().gang(), refusal);
    }

    /** Has a started gang taken back. */
    void repair(GangId gang, String reason) {
        LOG.warnf("Gang %s has started and is not whole: %s", gang, reason);
        ports.repair().repair(gang, reason);
    }

    private void fail(Assembly assembly, List<Assembly.Member> members, String reason) {
        if (!members.isEmpty()) {
            LOG.infof("Gang %s does not start: %s", assembly.key().gang(), reason);
        }
        turnAway(members, reason);
        whenOver.accept(assembly);
    }

    /** A bug must not leave calls waiting for ever. */
    private void guarded(Assembly assembly, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException bug) {
            LOG.errorf(bug, "Gang %s could not be started", assembly.key().gang());
            String reason = "gang " + assembly.key().gang() + " could not be started: " + bug;
            fail(assembly, assembly.fail(), reason);
            fail(assembly, assembly.failMark(), reason);
        }
    }

    private static Result unexpected(Assembly.Member member, Throwable bug) {
        LOG.errorf(bug, "Pod %s could not be bound", member.request().podName());
        return new Result.Refused("pod " + member.request().podName() + " could not be bound: " + bug);
    }
}
