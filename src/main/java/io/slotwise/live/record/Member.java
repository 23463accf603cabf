package io.slotwise.live.record;

import java.util.List;
import java.util.OptionalLong;

/**
 * A pod of a gang.
 *
 * @param pod its plain name
 * @param uid which pod of that name; empty: none yet
 * @param state how far it is
 * @param gated whether our gate still holds it
 * @param node where it is bound; empty: nowhere
 * @param refusal what kube-scheduler says of it, or the kubelet of one that has ended; empty: nothing, or nothing bad
 * @param nominated whether kube-scheduler keeps room on a node for it, although it is not bound
 * @param endedAt when it ended or, if it is being deleted, will have ended at the latest, seconds since the epoch;
 *     empty: it has not, or does not say
 * @param succeeded whether it has ended with its work done
 * @param direct whether Slotwise binds it itself; else it goes through kube-scheduler
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
    /** A pod that has not done its work. */
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

    /** A pod that goes through kube-scheduler, for which no room is kept and that does not say when it ended. */
    public Member(String pod, String uid, State state, boolean gated, String node, String refusal) {
        this(pod, uid, state, gated, node, refusal, false, OptionalLong.empty(), false);
    }

    /** A pod that its controller will make. */
    public static Member coming(String pod) {
        return new Member(pod, "", State.WAITING, false, "", "", false, OptionalLong.empty(), true);
    }

    /** Whether its controller has not made it yet. */
    public boolean isComing() {
        return uid.isEmpty();
    }

    /** Whether its controller has made none of these yet. */
    public static boolean areComing(List<Member> members) {
        return !members.isEmpty() && members.stream().allMatch(Member::isComing);
    }

    /** The same pod, bound by Slotwise itself. */
    public Member byItself() {
        return new Member(pod, uid, state, gated, node, refusal, nominated, endedAt, succeeded, true);
    }

    /** How far a pod is. */
    public enum State {
        /** It has no node yet. */
        WAITING,
        /** It is bound to a node and has not ended. */
        BOUND,
        /** It ended, or is being deleted. */
        ENDED
    }
}
