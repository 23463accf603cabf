package io.slotwise.live.start;

/**
 * The reasons for which a pod does not start yet, for the extender's answers to kube-scheduler and the barrier's
 * answers to binders.
 */
public final class Waits {
    /** The pod has no promise. */
    public static final String FOR_A_PLAN = "waits for a plan";

    /** The view of the cluster is outdated, so that no promise is reliable. */
    public static final String FOR_LATEST_CHANGES = "waits until Slotwise sees the latest changes of the cluster";

    /** The gang has other or changed pods since its promise. */
    public static final String FOR_A_NEW_LOOK =
            "waits until its pods, which have changed since the promise, are planned";

    private Waits() {}
}
