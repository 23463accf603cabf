package io.slotwise.kubernetes.bind;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port: what is bound to the nodes, as it was seen last. The API server itself accepts bindings beyond a node's room. */
public interface Rooms {
    /**
     * Why pods do not fit on a node beside what is bound there.
     *
     * @param coming pods that are about to be bound to it
     * @return null if they fit, or if nothing is known of the node
     */
    @Nullable
    String obstacle(String node, List<BindRequest> coming);
}
