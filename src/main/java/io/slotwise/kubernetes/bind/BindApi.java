package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the barrier needs of the API server. Calls wait for the answer; no answer within the client's timeout, a server error
 * and "too many requests" are all {@code Unanswered}: the call may or may not have had its effect.
 */
public interface BindApi {
    /** Reads one pod. */
    PodAnswer readPod(String namespace, String name);

    /** Assigns a pod to a node, if it still has this UID. */
    BindAnswer bind(String namespace, String name, String uid, String node);

    /** Looks whether a node is there and may take pods. */
    NodeAnswer lookAtNode(String name);

    /**
     * Writes phase {@code Running} and {@code startedAt}, if the reservation still has the resource version that it has here.
     *
     * @param startedAt rounded down to the second
     */
    MarkAnswer markRunning(Reservation reservation, Instant startedAt);

    /** What is known of a pod. */
    sealed interface PodAnswer {
        /**
         * The pod is there.
         *
         * @param node the node that it is bound to, or null
         * @param gated it still has a scheduling gate
         * @param terminating its deletion has begun
         */
        record Found(String uid, @Nullable String node, String schedulerName, boolean gated, boolean terminating)
                implements PodAnswer {}

        /** There is no pod of this name. */
        record Absent() implements PodAnswer {}

        /** Nobody knows. */
        record Unanswered(String reason) implements PodAnswer {}
    }

    /** What became of a binding. */
    sealed interface BindAnswer {
        /** The pod is bound. */
        record Bound() implements BindAnswer {}

        /** 409: the pod is bound already, has another UID, a gate, or is being deleted; the pod itself tells which. */
        record Conflict(String reason) implements BindAnswer {}

        /** The API server will not have it. */
        record Refused(String reason) implements BindAnswer {}

        /** Nobody knows. */
        record Unanswered(String reason) implements BindAnswer {}
    }

    /** What is known of a node. */
    sealed interface NodeAnswer {
        /** It is there and takes pods. */
        record Usable() implements NodeAnswer {}

        /**
         * It is gone or takes no pods.
         *
         * @param obstacle such as {@code node n07 is gone}
         */
        record Unusable(String obstacle) implements NodeAnswer {}

        /** Nobody knows. */
        record Unanswered(String reason) implements NodeAnswer {}
    }

    /** What became of the status write. */
    sealed interface MarkAnswer {
        /** It is durable. */
        record Marked() implements MarkAnswer {}

        /**
         * The reservation has another version.
         *
         * @param current what it is now; null if it is gone or could not be read
         */
        record Conflict(@Nullable Reservation current) implements MarkAnswer {}

        /** The API server will not have it. */
        record Refused(String reason) implements MarkAnswer {}

        /** Nobody knows. */
        record Unanswered(String reason) implements MarkAnswer {}
    }
}
