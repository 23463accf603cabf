package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;

/** The requests of pods and the amounts of nodes, read once while the objects stay the same. Thread-safe. */
public final class AmountCache {
    private final ObjectCache<Pod, Resources> requestedCache = new ObjectCache<>();
    private final ObjectCache<Pod, Resources> allocatedCache = new ObjectCache<>();
    private final ObjectCache<Node, Resources> offeredCache = new ObjectCache<>();

    public AmountCache() {}

    /** Forgets entries that were not used since the last turn. */
    public void turn() {
        requestedCache.turn();
        allocatedCache.turn();
        offeredCache.turn();
    }

    /**
     * Returns the effective request of a pod.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public Resources requested(Pod pod, QuantityAmounts amounts) {
        return requestedCache.get(pod, one -> PodResources.of(one, amounts));
    }

    /**
     * Returns the request of a pod as stated, whatever its node has allocated. Another pod of the same template
     * requests as much.
     */
    public Resources stated(Pod pod, QuantityAmounts amounts) {
        return Pods.node(pod) == null ? requested(pod, amounts) : PodResources.of(pod.getSpec(), amounts);
    }

    /**
     * Returns what its node has allocated to a bound pod.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public Resources allocated(Pod pod, QuantityAmounts amounts) {
        return allocatedCache.get(pod, one -> PodResources.allocated(one, amounts));
    }

    /** Returns a node's allocatable amounts. Amounts that cannot be read are left out. */
    public Resources offered(Node node, QuantityAmounts amounts) {
        return offeredCache.get(node, one -> amounts.offered(one.getStatus().getAllocatable(), (_, _) -> {}));
    }
}
