package io.slotwise.kubernetes.bind;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
    private final PodRosterPort roster;
    private final BarrierTimer timer;
    private final InstantSource clock;

    MemberBinding(
            BindApi api, NodeCapacityPort capacity, PodRosterPort roster, BarrierTimer timer, InstantSource clock) {
        this.api = api;
        this.capacity = capacity;
        this.roster = roster;
        this.timer = timer;
        this.clock = clock;
    }

    /** The result for a pod. */
    sealed interface Result {
        /** The pod is bound on its node, by this call or an earlier one. */
        record Bound() implements Result {}

        /** The pod does not exist or is being deleted. */
        record Gone(String reason) implements Result {}

        /** The pod exists and cannot be bound. */
        record Refused(String reason) implements Result {}
    }

    /** Tells whether a pod still has to be bound for its gang. */
    interface Mandate {
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

        /** Returns whether the gang's window was withdrawn, as far as this program knows. Called before every try. */
        boolean isWithdrawn();

        /**
         * Returns whether the API server confirms that the pod has to be bound. Called after another writer has changed
         * the pod.
         */
        Word confirmed();
    }

    /** The API server's answer to {@link Mandate#confirmed}; {@code NONE} if it has not answered. */
    enum Word {
        YES,
        NO,
        NONE
    }

    Result bind(BindRequest request, Mandate mandate) {
        Result result = tryToBind(request, mandate);
        if (result instanceof Result.Bound) {
            capacity.bound(request);
        }
        return result;
    }

    private Result tryToBind(BindRequest bindRequest, Mandate mandate) {
        BindRequest request = bindRequest;
        Instant giveUp = clock.instant().plus(PATIENCE);
        Duration pause = FIRST_PAUSE;
        while (true) {
            if (mandate.isWithdrawn()) {
                return leftUnbound(request);
            }
            String obstacle;
            switch (send(request)) {
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
                    Word word = request.version() == null ? Word.YES : mandate.confirmed();
                    if (word == Word.NO) {
                        Result result = read(request);
                        return result == null ? leftUnbound(request) : result;
                    }
                    // If the question was not answered, the next try names the version again. A conflict then asks the
                    // question again.
                    request = word == Word.YES ? request.at(null) : request;
                }
                case BindApi.Unanswered(String reason) -> obstacle = reason;
            }
            Result result = read(request);
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

    /** Sends the binding. A pod that still has the gate loses it first. */
    private BindApi.BindAnswer send(BindRequest request) {
        if (!roster.isGated(request)) {
            return api.bind(request);
        }
        BindApi.BindAnswer answer = api.ungate(request);
        return answer instanceof BindApi.BindAnswer.Bound ? api.bind(request.at(null)) : answer;
    }

    private static Result leftUnbound(BindRequest request) {
        return new Result.Refused("pod " + request.podName() + " was not bound, because its gang did not start");
    }

    boolean isBound(BindRequest request) {
        return read(request) instanceof Result.Bound;
    }

    /** Reads the pod. Returns null if another try may succeed. */
    private @Nullable Result read(BindRequest request) {
        return switch (api.readPod(request.namespace(), request.pod())) {
            case BindApi.PodAnswer.Found found -> judge(request, found);
            case BindApi.PodAnswer.Absent ignoredAbsent -> new Result.Gone("pod " + request.podName() + " is gone");
            case BindApi.Unanswered ignoredUnanswered -> null;
        };
    }

    static @Nullable Result judge(BindRequest request, BindApi.PodAnswer.Found found) {
        String name = "pod " + request.podName();
        if (!found.uid().equals(request.uid())) {
            return new Result.Gone(name + " is another pod of the same name");
        }
        if (request.node().equals(found.node())) {
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
