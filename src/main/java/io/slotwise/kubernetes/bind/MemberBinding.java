package io.slotwise.kubernetes.bind;

import io.slotwise.live.port.Leadership;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Binds one pod, for good or not at all. The API server answers 409 alike for a pod that is bound already, has a gate
 * or another UID, and an answer may be lost on its way: so the pod itself is read before the call is made again.
 */
final class MemberBinding {
    /**
     * How long an API server without an answer is tried: with the eviction that follows, a gang runs partly under 5 s.
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

    /** What became of a pod. */
    sealed interface Result {
        /** Why it is not bound; null: it is. */
        @Nullable
        String reason();

        /** It is bound on its node, by this call or an earlier one. */
        record Bound() implements Result {
            @Override
            public @Nullable String reason() {
                return null;
            }
        }

        /** It is there no more, or about to go. */
        record Gone(String reason) implements Result {}

        /** It is there and cannot be bound. */
        record Refused(String reason) implements Result {}

        /** It is not this program's to bind any more: its gang's start has ended, or is another one's. */
        record Left(String reason) implements Result {}
    }

    /** Whether a pod's gang is still wanted bound. */
    interface Mandate {
        /** Whatever it belongs to. */
        Mandate ALWAYS = new Mandate() {
            @Override
            public boolean isWithdrawn() {
                return false;
            }

            @Override
            public Word confirmed() {
                return Word.YES;
            }
        };

        /** Asked before every try: whether the gang is not wanted bound any more, as far as this program knows. */
        boolean isWithdrawn();

        /**
         * Asked after another writer has written to the pod: whether the API server says that it is still wanted bound.
         */
        Word confirmed();
    }

    /** What the API server says to a question. */
    enum Word {
        YES,
        NO,
        /** It has not answered. */
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
        while (true) {
            // Before the question: a later epoch would be that of the leader that has followed this one.
            long epoch = leadership.epoch();
            if (mandate.isWithdrawn()) {
                return leftUnbound(request);
            }
            String obstacle;
            switch (api.bind(request, note.annotations(epoch))) {
                case BindApi.TooMany(Duration after, String _) -> {
                    // It was not looked at: waiting one's turn is no failure.
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
                    Word word = request.version() == null ? Word.YES : mandate.confirmed();
                    if (word == Word.NO) {
                        Result result = read(request, note);
                        return result == null ? leftUnbound(request) : result;
                    }
                    // Without an answer the next try names the version again, and if that is over the question is asked
                    // again.
                    request = word == Word.YES ? request.at(null) : request;
                }
                case BindApi.Unanswered(String reason) -> obstacle = reason;
            }
            Result result = read(request, note);
            if (result != null) {
                return result;
            }
            if (clock.instant().plus(pause).isAfter(giveUp)) {
                return new Result.Refused(refusal(request, obstacle));
            }
            timer.pause(pause);
            pause = pause.multipliedBy(2);
        }
    }

    private static Result leftUnbound(BindRequest request) {
        return new Result.Left("pod " + request.podName() + " was not bound, because its gang did not start");
    }

    /** Whether the pod is bound on that node already. */
    boolean isBound(BindRequest request) {
        return read(request, null) instanceof Result.Bound;
    }

    /** What the pod itself says; null if nothing speaks against another try. */
    private @Nullable Result read(BindRequest request, @Nullable StartNote note) {
        return switch (api.readPod(request.namespace(), request.pod())) {
            case BindApi.PodAnswer.Found found -> judge(request, note, found);
            case BindApi.PodAnswer.Absent ignoredAbsent -> new Result.Gone("pod " + request.podName() + " is gone");
            case BindApi.Unanswered ignoredUnanswered -> null;
        };
    }

    /**
     * What a pod says of its binding.
     *
     * @param note of the start that was to bind it; null: whichever
     */
    static @Nullable Result judge(BindRequest request, @Nullable StartNote note, BindApi.PodAnswer.Found found) {
        String name = "pod " + request.podName();
        if (!found.uid().equals(request.uid())) {
            return new Result.Gone(name + " is another pod of the same name");
        }
        if (request.node().equals(found.node())) {
            boolean carries = note == null || note.startReservation() == null || note.isOf(found.run());
            return carries ? new Result.Bound() : new Result.Left(name + " was bound by another start of its gang");
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
