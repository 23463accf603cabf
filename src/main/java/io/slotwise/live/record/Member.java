package io.slotwise.live.record;

import java.util.List;
import java.util.OptionalLong;

/**
 * A pod of a gang.
 *
 * @param pod its plain name
 * @param uid empty if the pod does not exist yet
 * @param gated whether Slotwise's gate still holds it
 * @param node to which it is bound; empty if none
 * @param refusal the message of kube-scheduler, or of the kubelet of an ended pod; empty if there is none, or nothing
 *     is wrong
 * @param nominated whether kube-scheduler keeps room for the unbound pod on a node
 * @param endedAt when it ended or, if it is being deleted, will have ended at the latest, seconds since the epoch;
 *     empty if it has not, or unknown
 * @param succeeded whether it completed successfully
 * @param direct whether Slotwise binds it itself; otherwise it goes through kube-scheduler
 */
public record Member(
        String pod,
        String uid,
        State state,
        boolean gated,
        String node,
        String refusal,
        boolean nominated,
        OptionalLong endedAt,
        boolean succeeded,
        boolean direct) {
    /** Creates a pod that has not completed. */
    public Member(
            String pod,
            String uid,
            State state,
            boolean gated,
            String node,
            String refusal,
            boolean nominated,
            OptionalLong endedAt,
            boolean direct) {
        this(pod, uid, state, gated, node, refusal, nominated, endedAt, false, direct);
    }

    /** Creates a pod that goes through kube-scheduler, has no nomination and no known end. */
    public Member(String pod, String uid, State state, boolean gated, String node, String refusal) {
        this(pod, uid, state, gated, node, refusal, false, OptionalLong.empty(), false);
    }

    /** Returns a pod that its controller has yet to create. */
    public static Member coming(String pod) {
        return new Member(pod, "", State.WAITING, false, "", "", false, OptionalLong.empty(), true);
    }

    /** Returns whether the controller has not created the pod yet. */
    public boolean isComing() {
        return uid.isEmpty();
    }

    /** Returns whether its containers may run although it is being deleted. */
    public boolean isTerminating(long now) {
        return state == State.TERMINATING && endedAt.orElse(now) > now;
    }

    /**
     * Returns the second in which its containers ended, never later than {@code now}; empty while they may run. A pod
     * that is still there after its grace period ends now: a later deletion can have shortened that period into the
     * past.
     */
    public OptionalLong end(long now) {
        if (!state.isOver() || isTerminating(now)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(state == State.ENDED ? Math.min(now, endedAt.orElse(now)) : now);
    }

    /** Returns whether the pod is over, but may run, or has run after this second. */
    public boolean tellsOfRun(long second) {
        return state == State.TERMINATING || (state == State.ENDED && endedAt.orElse(second) > second);
    }

    /** Returns whether none of these pods is created yet. */
    public static boolean areComing(List<Member> members) {
        return !members.isEmpty() && members.stream().allMatch(Member::isComing);
    }

    /** Returns the same pod, bound by Slotwise itself. */
    public Member byItself() {
        return new Member(pod, uid, state, gated, node, refusal, nominated, endedAt, succeeded, true);
    }

    /** The state of a pod. */
    public enum State {
        /** Without a node. */
        WAITING,
        /** Bound to a node, neither ended nor being deleted. */
        BOUND,
        /** Bound to a node and being deleted. Its containers may run until the end of its grace period. */
        TERMINATING,
        /** Ended, or being deleted without a node. */
        ENDED;

        /** Returns whether the pod has ended or is being deleted. */
        public boolean isOver() {
            return this == TERMINATING || this == ENDED;
        }
    }
}
