package io.slotwise.kubernetes.bind;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Port: the nodes and what is bound to them, as seen last. The API server itself accepts bindings beyond a node's room.
 */
public interface NodeCapacityPort {
    /**
     * Why pods cannot be bound to a node: it or one of them is gone, or they do not fit beside what is bound there and
     * what is on its way there of gangs that are further with their start.
     *
     * @param coming pods of one gang that are about to be bound to it
     * @param others pods that are being bound to it, which need room too if they are still there
     * @return null if they can, or if nothing has been seen yet
     */
    @Nullable
    String obstacle(String node, List<BindRequest> coming, List<BindRequest> others);

    /** A pod has been bound to the node of the request, whether that has been seen or not. */
    void bound(BindRequest request);
}
