package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the barrier needs of the API server. Calls wait for the answer; no answer within the client's timeout and a
 * server error are both {@link Unanswered}: the call may or may not have had its effect.
 */
public interface BindApi {
    /** Reads one pod. */
    PodAnswer readPod(String namespace, String name);

    /**
     * Assigns a pod to a node, if it still has this UID and this version, and adds these annotations to it in the same
     * transaction.
     */
    BindAnswer bind(BindRequest request, Map<String, String> annotations);

    /** Reads a reservation. */
    ReservationAnswer read(Reservation reservation);

    /**
     * What it has refused a moment ago of what the start of a gang needs: a gang that is bound now would be bound in
     * part.
     *
     * @param tries whether it is to be started, and may be the one that finds out for all
     * @return null: nothing
     */
    default @Nullable String refusal(GangId gang, Collection<String> pods, boolean tries) {
        return null;
    }

    /** What is known of a pod. */
    sealed interface PodAnswer {
        /**
         * The pod is there.
         *
         * @param node the node that it is bound to, or null
         * @param gated it still has a scheduling gate
         * @param terminating its deletion has begun
         * @param run the start that has bound it; empty: none of Slotwise's
         */
        record Found(
                String uid, @Nullable String node, String schedulerName, boolean gated, boolean terminating, String run)
                implements PodAnswer {}

        /** There is no pod of this name. */
        record Absent() implements PodAnswer {}
    }

    /** What became of a binding. */
    sealed interface BindAnswer {
        /** The pod is bound. */
        record Bound() implements BindAnswer {}

        /** 409: the pod is bound already, has another UID, a gate, or is being deleted; the pod itself tells which. */
        record Conflict(String reason) implements BindAnswer {}
    }

    /** What is known of a reservation. */
    sealed interface ReservationAnswer {
        /** It is there. */
        record Found(Reservation reservation) implements ReservationAnswer {}

        /** It is gone. */
        record Absent() implements ReservationAnswer {}
    }

    /** A binding that was not made, or whose outcome is unknown. */
    sealed interface Failure extends BindAnswer {}

    /** The API server will not have it. */
    record Refused(String reason) implements Failure {}

    /**
     * 429: the API server has not looked at it.
     *
     * @param after how long it asks to be left alone
     */
    record TooMany(Duration after, String reason) implements Failure {}

    /** The outcome is unknown. */
    record Unanswered(String reason) implements Failure, PodAnswer, ReservationAnswer {}
}
