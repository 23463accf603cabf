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

/** Whether pods fit on a node by what they request. */
public final class NodeRoom {
    /** More than a long holds. */
    private static final long TOO_MUCH = -1;

    private NodeRoom() {}

    /**
     * The first resource or port of the host, by name, of which the pods request more than the node has.
     *
     * @param pods all that are to be there at the same time
     * @return null if they fit, or if the node does not say what it has
     * @throws IllegalArgumentException if a request cannot be read; what the node has and cannot be read counts as none
     */
    public static @Nullable String shortage(Node node, Collection<Pod> pods) {
        return shortage(node, pods, Set.of(), new AmountCache());
    }

    /**
     * The same where devices serve some resources, of which a node without an amount of its own has devices, if
     * anything.
     *
     * @param served the extended resources that devices serve
     * @param knownCache what has been read before
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

    /** Of amounts that are not negative; {@link #TOO_MUCH} is more than any node has. */
    private static long sum(long a, long b) {
        return a == TOO_MUCH || b == TOO_MUCH || a > Long.MAX_VALUE - b ? TOO_MUCH : a + b;
    }
}
