package io.slotwise.core.gang;

import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * What one pod of a gang asks for.
 *
 * @param resources requested amounts, one {@link Resources#PODS} included
 * @param constraint where it may run
 * @param runtime seconds, positive
 * @param nodeIndependent false: {@code runtime} holds on the reference node and is divided by a node's performance; true: it
 *     is the same on every node
 */
public record PodRequest(Resources resources, NodeConstraint constraint, long runtime, boolean nodeIndependent) {
    public PodRequest {
        if (runtime <= 0) {
            throw new IllegalArgumentException("The runtime (%d s) must be positive.".formatted(runtime));
        }
    }

    /** The same with another runtime, seconds. */
    public PodRequest lasting(long seconds) {
        return new PodRequest(resources, constraint, seconds, nodeIndependent);
    }

    /** The same that must not leave these resource domains; null: it may go anywhere. */
    PodRequest staying(@Nullable Home domains) {
        return new PodRequest(resources, constraint.staying(domains), runtime, nodeIndependent);
    }

    /** Seconds that the pod takes on a node of this performance. */
    public long durationOn(Performance performance) {
        return nodeIndependent ? runtime : performance.duration(runtime);
    }
}
