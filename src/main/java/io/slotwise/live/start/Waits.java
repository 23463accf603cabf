package io.slotwise.live.start;

/**
 * Why a pod does not start yet, in the words that both doors have for it: the extender's answers to kube-scheduler, and
 * the barrier's to who wants to bind.
 */
public final class Waits {
    /** There is no promise for it. */
    public static final String FOR_A_PLAN = "waits for a plan";

    /** The cluster is not seen as it is, so that no promise can be relied on. */
    public static final String FOR_SIGHT = "waits until Slotwise sees the latest changes of the cluster";

    /** Its pods are others than those that its window was promised to, or were changed since. */
    public static final String FOR_A_NEW_LOOK =
            "waits until its pods, which have changed since the promise, are planned";

    private Waits() {}
}
