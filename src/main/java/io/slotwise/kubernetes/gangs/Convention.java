package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A way to state which pods start together. Stateless. */
interface Convention {
    /** Returns the membership that a pod states by this convention, or null. Depends on the pod alone. O(1). */
    @Nullable
    GangMembership membership(Pod pod);

    /**
     * Returns how many of a gang's pods must start together. O(pods).
     *
     * @param membership what all of the pods state by this convention
     * @param pods at least one
     * @param group the object that the membership names; null if it names none, or if it does not exist
     * @throws IllegalArgumentException if a number cannot be read; the message is a sentence that names it
     */
    GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group);

    /**
     * Returns how many pods must start together, for conventions that also read other objects. O(pods) and a few of
     * these objects.
     */
    default GangSize size(
            GangMembership membership,
            List<Pod> pods,
            @Nullable GenericKubernetesResource group,
            GroupObjects objects) {
        return size(membership, pods, group);
    }

    /**
     * Returns what the object states about the ended pods of a gang, besides what their Jobs state.
     *
     * @param pods that have not ended, at least one
     * @param group as for {@link #size}
     * @throws IllegalArgumentException if it cannot be read; the message is a sentence
     */
    default EndedPods ended(List<Pod> pods, @Nullable GenericKubernetesResource group) {
        return EndedPods.NONE;
    }

    /**
     * Returns whether the gang cannot start without this pod, even if it may start without others. Depends on the pod
     * alone. O(1).
     */
    default boolean isLeader(Pod pod) {
        return false;
    }
}
