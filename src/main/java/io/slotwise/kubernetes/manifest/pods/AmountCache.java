package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;

/** What pods request and nodes offer, read once for as long as they are the same objects. Safe for threads. */
public final class AmountCache {
    private final ObjectCache<Pod, Resources> requestedCache = new ObjectCache<>();
    private final ObjectCache<Pod, Resources> allocatedCache = new ObjectCache<>();
    private final ObjectCache<Node, Resources> offeredCache = new ObjectCache<>();

    public AmountCache() {}

    /** Forgets what was not asked for since the last turn. */
    public void turn() {
        requestedCache.turn();
        allocatedCache.turn();
        offeredCache.turn();
    }

    /**
     * The effective request of a pod.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public Resources requested(Pod pod, QuantityAmounts amounts) {
        return requestedCache.get(pod, one -> PodResources.of(one, amounts));
    }

    /** The same as the pod states it, whatever its node has given it; another pod of that template asks for as much. */
    public Resources stated(Pod pod, QuantityAmounts amounts) {
        return Pods.node(pod) == null ? requested(pod, amounts) : PodResources.of(pod.getSpec(), amounts);
    }

    /**
     * What its node has allocated to a bound pod.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public Resources allocated(Pod pod, QuantityAmounts amounts) {
        return allocatedCache.get(pod, one -> PodResources.allocated(one, amounts));
    }

    /** What a node offers to pods; what cannot be read is left out. The node says what it has. */
    public Resources offered(Node node, QuantityAmounts amounts) {
        return offeredCache.get(node, one -> amounts.offered(one.getStatus().getAllocatable(), (_, _) -> {}));
    }
}
