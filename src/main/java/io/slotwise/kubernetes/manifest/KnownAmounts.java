package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.resource.Resources;

/** What pods request and nodes offer, read once for as long as they are the same objects. Safe for threads. */
public final class KnownAmounts {
    private final OfObjects<Pod, Resources> requested = new OfObjects<>();
    private final OfObjects<Node, Resources> offered = new OfObjects<>();

    /** Nothing is known yet. */
    public KnownAmounts() {}

    /** Forgets what was not asked for since the last turn. */
    void turn() {
        requested.turn();
        offered.turn();
    }

    /**
     * The effective request of a pod.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    Resources requested(Pod pod, Amounts amounts) {
        return requested.get(pod, one -> PodResources.of(one, amounts));
    }

    /** What a node offers to pods; what cannot be read is left out. The node says what it has. */
    Resources offered(Node node, Amounts amounts) {
        return offered.get(node, one -> amounts.offered(one.getStatus().getAllocatable(), (_, _) -> {}));
    }
}
