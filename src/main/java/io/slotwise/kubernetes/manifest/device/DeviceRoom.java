package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Tells whether nodes have the devices that pods ask for, given what claims hold at this moment. Thread-safe. */
public final class DeviceRoom {
    /** The prefix of the extended resource that every class serves. */
    static final String CLASS_PREFIX = "deviceclass.resource.kubernetes.io/";

    /** A single gang for all pods, so that those that share a claim use the same devices. */
    private static final GangId ALL = new GangId("", "all");

    private final DeviceSelectors selectors;

    /**
     * @param selectors the selectors that the intake uses too
     */
    public DeviceRoom(DeviceSelectors selectors) {
        this.selectors = selectors;
    }

    /** Returns the extended resources that these classes serve. O(classes). */
    public static Set<String> served(Collection<DeviceClass> classes) {
        Set<String> served = new HashSet<>();
        for (DeviceClass deviceClass : classes) {
            served.add(CLASS_PREFIX + deviceClass.getMetadata().getName());
            String resource =
                    deviceClass.getSpec() == null ? null : deviceClass.getSpec().getExtendedResourceName();
            // No device class serves a native resource such as cpu.
            if (resource != null && resource.indexOf('/') > 0) {
                served.add(resource);
            }
        }
        return served;
    }

    /**
     * Returns whether a pod asks for devices, by a claim or by an extended resource. O(containers).
     *
     * @param served the extended resources that devices serve
     */
    public static boolean isAskedForBy(Pod pod, Set<String> served) {
        return DeviceAsks.areOf(pod, served);
    }

    /**
     * Returns whether these nodes have the devices for these pods; also true where this cannot be told, because
     * kube-scheduler decides in the end. A claim's devices count as taken until it gives them back, even if its pods
     * have ended. A pod with an allocated claim needs no more devices and fits only on their node. O(slices + claims);
     * an expression is evaluated once for each device of these nodes.
     *
     * @param coming the pods by node
     * @param direct tells whether Slotwise itself binds a pod
     */
    public boolean isEnough(
            OptionalObjects objects, Collection<Node> nodes, Map<String, List<Pod>> coming, Predicate<Pod> direct) {
        QuantityAmounts amounts = new QuantityAmounts();
        Map<String, Resources> offered = new HashMap<>();
        for (Node node : nodes) {
            NodeStatus status = node.getStatus();
            offered.put(
                    node.getMetadata().getName(),
                    amounts.offered(status == null ? null : status.getAllocatable(), (_, _) -> {}));
        }
        List<Pod> pods = coming.values().stream().flatMap(List::stream).toList();
        PodDevices devices = new PodDevices(objects, selectors, offered, direct, amounts);
        devices.look(pods, pods, _ -> ALL, _ -> Set.copyOf(offered.keySet()));
        return offered.keySet().stream().allMatch(node -> devices.isEnough(node, coming.getOrDefault(node, List.of())));
    }
}
