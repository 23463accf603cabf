package io.slotwise.kubernetes.bind;

import io.slotwise.live.port.Leadership;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Binds one pod, or determines that it is not bound. The API server answers 409 for a pod that is bound already, has a
 * gate or another UID, and an answer may be lost. So the pod itself is read before the call is repeated.
 */
final class MemberBinding {
    /**
     * The longest time for which calls without an answer are repeated. Including the eviction that follows, a gang runs
     * partially for less than 5 s.
     */
    static final Duration PATIENCE = Duration.ofSeconds(4);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final BindApi api;
    private final NodeCapacityPort capacity;
    private final BarrierTimer timer;
    private final InstantSource clock;
    private final Leadership leadership;

    MemberBinding(BarrierPorts ports, BarrierTiming timing, Leadership leadership) {
        this.api = ports.api();
        this.capacity = ports.capacity();
        this.timer = timing.timer();
        this.clock = timing.clock();
        this.leadership = leadership;
    }

    /** The result for a pod. */
    sealed interface Result {
        /** Returns why the pod is not bound, or null if it is. */
        default @Nullable String reason() {
            return null;
        }

        /** The pod is bound on its node, by this call or an earlier one. */
        record Bound() implements Result {}

        /** The pod does not exist or is being deleted. */
        record Gone(String reason) implements Result {}

        /** The pod exists and cannot be bound. */
        record Refused(String reason) implements Result {}

        /** The pod is not this replica's to bind: its gang's start has ended, or another start has bound it. */
        record Left(String reason) implements Result {}
    }

    /**
     * Tells whether a pod still has to be bound for its gang.
     *
     * @param ended whether the gang's start has ended, as far as this program knows. Asked before every try
     * @param confirmed whether the API server confirms that the pod has to be bound. Asked after another writer has
     *     changed the pod
     */
    record Mandate(BooleanSupplier ended, Supplier<Word> confirmed) {
        static final Mandate ALWAYS = new Mandate(() -> false, () -> Word.YES);
    }

    /** The API server's answer to {@link Mandate#confirmed}; {@code NONE} if it has not answered. */
    enum Word {
        YES,
        NO,
        NONE
    }

    /** Binds the pod as a member of this start. */
    Result bind(BindRequest request, StartNote note, Mandate mandate) {
        Result result = tryToBind(request, note, mandate);
        if (result instanceof Result.Bound) {
            capacity.bound(request);
        }
        return result;
    }

    private Result tryToBind(BindRequest bindRequest, StartNote note, Mandate mandate) {
        BindRequest request = bindRequest;
        Instant giveUp = clock.instant().plus(PATIENCE);
        Duration pause = FIRST_PAUSE;
        String unanswered = null;
        while (true) {
            // Read before the check of the mandate, because a later epoch would be that of a successor.
            long epoch = leadership.epoch();
            if (mandate.ended().getAsBoolean()) {
                // A call without an answer may come through late.
                return unanswered != null && leadership.getAsBoolean()
                        ? new Result.Refused(refusal(request, unanswered))
                        : leftUnbound(request);
            }
            @Nullable String obstacle;
            switch (api.bind(request, note.annotations(epoch))) {
                case BindApi.TooMany(Duration after, String _) -> {
                    // The API server has not processed the call. Waiting for its turn does not count as a failure.
                    timer.pause(after);
                    giveUp = giveUp.plus(after);
                    continue;
                }
                case BindApi.BindAnswer.Bound ignoredBound -> {
                    return new Result.Bound();
                }
                case BindApi.Refused(String reason) -> {
                    return new Result.Refused(refusal(request, reason));
                }
                case BindApi.BindAnswer.Conflict(String reason) -> {
                    obstacle = reason;
                    Word word = request.version() == null
                            ? Word.YES
                            : mandate.confirmed().get();
                    if (word == Word.NO) {
                        Result result = read(request, note);
                        return result == null ? leftUnbound(request) : result;
                    }
                    // If the question was not answered, the next try names the version again. A conflict then asks the
                    // question again.
                    request = word == Word.YES ? request.at(null) : request;
                }
                case BindApi.Unanswered(String reason) -> {
                    obstacle = reason;
                    unanswered = reason;
                }
                // A binding that is still this replica's is made in the new epoch. All others are the successor's.
                case BindApi.Outdated ignoredOutdated -> obstacle = null;
            }
            Result result = read(request, note);
            if (result != null) {
                return result;
            }
            if (clock.instant().plus(pause).isAfter(giveUp)) {
                return obstacle == null ? leftUnbound(request) : new Result.Refused(refusal(request, obstacle));
            }
            timer.pause(pause);
            pause = pause.multipliedBy(2);
        }
    }

    private static Result leftUnbound(BindRequest request) {
        return new Result.Left("pod " + request.podName() + " was not bound, because its gang did not start");
    }

    boolean isBound(BindRequest request) {
        return read(request, null) instanceof Result.Bound;
    }

    /** Reads the pod. Returns null if another try may succeed. */
    private @Nullable Result read(BindRequest request, @Nullable StartNote note) {
        return switch (api.readPod(request.namespace(), request.pod())) {
            case BindApi.PodAnswer.Found found -> judge(request, note, found);
            case BindApi.PodAnswer.Absent ignoredAbsent -> new Result.Gone("pod " + request.podName() + " is gone");
            case BindApi.Unanswered ignoredUnanswered -> null;
        };
    }

    /**
     * Returns the result that a pod shows, or null if it is not bound and can be.
     *
     * @param note of the start that was to bind it, or null for any start
     */
    static @Nullable Result judge(BindRequest request, @Nullable StartNote note, BindApi.PodAnswer.Found found) {
        String name = "pod " + request.podName();
        if (!found.uid().equals(request.uid())) {
            return new Result.Gone(name + " is another pod of the same name");
        }
        boolean onNode = request.node().equals(found.node());
        if (note != null
                && note.startReservation() != null
                && found.node() != null
                && !note.isOf(found.run())
                && (onNode || !found.run().isEmpty())) {
            return new Result.Left(name + " was bound by another start of its gang");
        }
        if (onNode) {
            return new Result.Bound();
        }
        if (found.node() != null) {
            return new Result.Refused(name + " is bound on node " + found.node() + " instead of " + request.node());
        }
        if (found.terminating()) {
            return new Result.Gone(name + " is being deleted");
        }
        return found.gated() ? new Result.Refused(name + " has a scheduling gate") : null;
    }

    private static String refusal(BindRequest request, String reason) {
        return "pod " + request.podName() + " could not be bound on node " + request.node() + ": " + reason;
    }
}
