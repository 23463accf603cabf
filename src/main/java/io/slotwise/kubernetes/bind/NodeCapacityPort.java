package io.slotwise.kubernetes.bind;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Port: the nodes and the pods bound to them, as last seen. The API server itself accepts bindings beyond a node's
 * room.
 */
public interface NodeCapacityPort {
    /**
     * Returns why pods cannot be bound to a node: the node or a pod is gone, or they do not fit. Room is also taken by
     * bound pods, and by pods to be bound of gangs whose start has progressed further.
     *
     * @param coming pods of one gang that are about to be bound to the node
     * @param others pods that are being bound to it, and need room if they still exist
     * @return null if they can, or if nothing has been seen yet
     */
    @Nullable
    String obstacle(String node, List<BindRequest> coming, List<BindRequest> others);

    void bound(BindRequest request);
}
