package io.slotwise.kubernetes.manifest.nodes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.AmountCache;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tells whether the requests of pods fit on a node. */
public final class NodeRoom {
    /** A sum beyond the range of a long. */
    private static final long TOO_MUCH = -1;

    private NodeRoom() {}

    /**
     * Returns the first resource or host port, by name, of which the pods request more than the node has. Null if they
     * fit, or if the node states nothing.
     *
     * @param pods all pods that run there at the same time
     * @throws IllegalArgumentException if a request cannot be read; unreadable amounts of the node count as zero
     */
    public static @Nullable String shortage(Node node, Collection<Pod> pods) {
        return shortage(node, pods, Set.of(), new AmountCache());
    }

    /**
     * Returns the shortage where devices serve some resources. A node without an amount of such a resource may have
     * devices for it.
     *
     * @param served the extended resources that devices serve
     * @param knownCache cached amounts
     */
    public static @Nullable String shortage(
            Node node, Collection<Pod> pods, Set<String> served, AmountCache knownCache) {
        if (node.getStatus() == null) {
            return null;
        }
        QuantityAmounts amounts = new QuantityAmounts();
        Resources resources = knownCache.offered(node, amounts);
        SortedMap<String, Long> wanted = new TreeMap<>();
        for (Pod pod : pods) {
            Resources request = knownCache.requested(pod, amounts);
            for (int i = 0; i < request.size(); i++) {
                wanted.merge(request.name(i), request.amount(i), NodeRoom::sum);
            }
        }
        for (Map.Entry<String, Long> entry : wanted.entrySet()) {
            long there = Place.is(entry.getKey()) ? Place.WHOLE : resources.get(entry.getKey());
            boolean isOfDevices = there == 0 && served.contains(entry.getKey());
            if (!isOfDevices && (entry.getValue() == TOO_MUCH || entry.getValue() > there)) {
                return entry.getKey();
            }
        }
        return null;
    }

    private static long sum(long a, long b) {
        return a == TOO_MUCH || b == TOO_MUCH || a > Long.MAX_VALUE - b ? TOO_MUCH : a + b;
    }
}
