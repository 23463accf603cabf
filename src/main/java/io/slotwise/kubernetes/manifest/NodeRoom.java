package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Whether pods fit on a node by what they request. */
public final class NodeRoom {
    private NodeRoom() {}

    /**
     * The first resource or port of the host, by name, of which the pods request more than the node has.
     *
     * @param pods all that are to be there at the same time
     * @return null if they fit, or if the node does not say what it has
     * @throws IllegalArgumentException if a request cannot be read; what the node has and cannot be read counts as none
     */
    public static @Nullable String shortage(Node node, Collection<Pod> pods) {
        return shortage(node, pods, Set.of());
    }

    /**
     * The same where devices serve some resources, of which a node without an amount of its own has devices, if anything.
     *
     * @param served the extended resources that devices serve
     */
    public static @Nullable String shortage(Node node, Collection<Pod> pods, Set<String> served) {
        if (node.getStatus() == null) {
            return null;
        }
        Amounts amounts = new Amounts();
        Resources offered = amounts.offered(node.getStatus().getAllocatable(), (_, _) -> {});
        SortedMap<String, BigInteger> wanted = new TreeMap<>();
        for (Pod pod : pods) {
            PodResources.of(pod, amounts)
                    .asMap()
                    .forEach((name, amount) -> wanted.merge(name, BigInteger.valueOf(amount), BigInteger::add));
        }
        for (Map.Entry<String, BigInteger> one : wanted.entrySet()) {
            long there = Place.is(one.getKey()) ? Place.WHOLE : offered.get(one.getKey());
            boolean isOfDevices = there == 0 && served.contains(one.getKey());
            if (!isOfDevices && one.getValue().compareTo(BigInteger.valueOf(there)) > 0) {
                return one.getKey();
            }
        }
        return null;
    }
}
