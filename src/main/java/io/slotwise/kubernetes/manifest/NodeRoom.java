package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.resource.Resources;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Whether pods fit on a node by what they request. */
public final class NodeRoom {
    private NodeRoom() {}

    /**
     * The first resource, by name, of which the pods request more than the node has.
     *
     * @param pods all that are to be there at the same time
     * @return null if they fit, or if the node does not say what it has
     * @throws IllegalArgumentException if a quantity cannot be read
     */
    public static @Nullable String shortage(Node node, Collection<Pod> pods) {
        if (node.getStatus() == null) {
            return null;
        }
        Amounts amounts = new Amounts();
        Resources offered = amounts.offered(node.getStatus().getAllocatable());
        Resources wanted = Resources.NONE;
        for (Pod pod : pods) {
            wanted = wanted.plus(PodResources.of(pod.getSpec(), amounts));
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (wanted.amount(i) > offered.get(wanted.name(i))) {
                return wanted.name(i);
            }
        }
        return null;
    }
}
