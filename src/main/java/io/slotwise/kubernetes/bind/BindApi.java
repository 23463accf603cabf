package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The barrier's calls to the API server. Calls wait for the answer. A time-out and a server error are both {@link
 * Unanswered}: the call may or may not have had its effect.
 */
public interface BindApi {
    PodAnswer readPod(String namespace, String name);

    /**
     * Assigns a pod to a node, if it still has this UID and this version, and adds these annotations to it in the same
     * transaction.
     */
    BindAnswer bind(BindRequest request, Map<String, String> annotations);

    ReservationAnswer read(Reservation reservation);

    /** The state of a pod. */
    sealed interface PodAnswer {
        /**
         * The pod exists.
         *
         * @param node the node that it is bound to, or null
         * @param gated whether it still has a scheduling gate
         * @param terminating whether its deletion has begun
         */
        record Found(
                String uid, @Nullable String node, String schedulerName, boolean gated, boolean terminating, String run)
                implements PodAnswer {}

        record Absent() implements PodAnswer {}
    }

    /** The answer to a binding. */
    sealed interface BindAnswer {
        record Bound() implements BindAnswer {}

        /**
         * 409: the pod is bound already, has another UID or a gate, or is being deleted. Only the pod itself tells
         * which.
         */
        record Conflict(String reason) implements BindAnswer {}
    }

    /** The state of a reservation. */
    sealed interface ReservationAnswer {
        record Found(Reservation reservation) implements ReservationAnswer {}

        record Absent() implements ReservationAnswer {}
    }

    /** The API server refused the write. */
    record Refused(String reason) implements BindAnswer {}

    /**
     * 429: the API server did not process the call.
     *
     * @param after the requested pause
     */
    record TooMany(Duration after, String reason) implements BindAnswer {}

    /** The API server refused the write, because another replica has led since. */
    record Outdated(String reason) implements BindAnswer {}

    /** The result is unknown. */
    record Unanswered(String reason) implements BindAnswer, PodAnswer, ReservationAnswer {}
}
