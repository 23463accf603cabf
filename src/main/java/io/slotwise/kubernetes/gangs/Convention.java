package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One way of saying which pods start together; has no state. */
interface Convention {
    /** What a pod says by this convention; null: nothing. From the pod alone; O(1). */
    @Nullable
    GangMembership claim(Pod pod);

    /**
     * How many of a gang's pods must start together. O(pods).
     *
     * @param membership what all of the pods say by this convention
     * @param pods at least one
     * @param group the object that the claim names; null: it names none, or there is none
     * @throws IllegalArgumentException if a figure cannot be read; the message is a sentence that names it
     */
    GangSize extent(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group);

    /** The same where other objects than the one that is named say more; O(pods) and a few of these. */
    default GangSize extent(
            GangMembership membership,
            List<Pod> pods,
            @Nullable GenericKubernetesResource group,
            GroupObjects objects) {
        return extent(membership, pods, group);
    }

    /**
     * What the object says of the pods of a gang that have ended, beside what their Jobs say.
     *
     * @param pods that have not ended, at least one
     * @param group as for {@link #extent}
     * @throws IllegalArgumentException if it cannot be read; the message is a sentence
     */
    default EndedPods ended(List<Pod> pods, @Nullable GenericKubernetesResource group) {
        return EndedPods.NONE;
    }

    /**
     * Whether a gang that may start without some of its pods cannot do so without this one. From the pod alone; O(1).
     */
    default boolean isLeader(Pod pod) {
        return false;
    }
}
