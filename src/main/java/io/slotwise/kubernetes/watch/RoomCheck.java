package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.extender.PodReservation;
import io.slotwise.kubernetes.manifest.device.DeviceRoom;
import io.slotwise.kubernetes.manifest.nodes.NodeRoom;
import io.slotwise.kubernetes.manifest.pods.AmountCache;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Tells whether nodes have room for new pods besides the existing ones. */
final class RoomCheck {
    private static final Logger LOG = Logger.getLogger(RoomCheck.class);

    private final ObservedCluster cluster;
    private final AmountCache amounts;
    private final DeviceRoom devices;

    RoomCheck(ObservedCluster cluster, AmountCache amounts, DeviceRoom devices) {
        this.cluster = cluster;
        this.amounts = amounts;
        this.devices = devices;
    }

    /**
     * Returns whether the pods of a window fit on their nodes besides the pods that are bound there now.
     *
     * @param others windows of released gangs, whose pods need room on the same nodes
     */
    boolean fit(Window window, Collection<Window> others) {
        Map<String, List<Pod>> coming = new HashMap<>();
        window.placements().forEach(placement -> coming.put(placement.node(), new ArrayList<>()));
        List<Pod> own = join(window, coming);
        others.forEach(other -> join(other, coming));
        return coming.entrySet().stream().allMatch(entry -> shortage(entry.getKey(), entry.getValue()) == null)
                && hasDevices(own, coming);
    }

    /**
     * Adds the pods of a window that are not over to those of its nodes, for the nodes in the map. Returns all its pods
     * found there.
     */
    private List<Pod> join(Window window, Map<String, List<Pod>> coming) {
        List<Pod> found = new ArrayList<>();
        for (Placement placement : window.placements()) {
            List<Pod> onNode = coming.get(placement.node());
            Pod pod = onNode == null ? null : cluster.pod(window.gang().namespace(), placement.pod());
            if (onNode != null && pod != null) {
                found.add(pod);
                if (!PodState.isOver(pod)) {
                    onNode.add(pod);
                }
            }
        }
        return found;
    }

    /**
     * Returns whether the nodes of a window have the devices for its pods besides those that claims hold. Claims of
     * ended pods hold devices until kube-controller-manager takes them back. O(slices + claims) if a pod asks for
     * devices.
     *
     * @param coming the new pods by node
     */
    private boolean hasDevices(List<Pod> own, Map<String, List<Pod>> coming) {
        Set<String> served = served();
        return own.stream().noneMatch(pod -> DeviceRoom.isAskedForBy(pod, served))
                || devices.isEnough(cluster.optionalObjects(), there(coming.keySet()), coming, cluster::goesDirect);
    }

    private List<Node> there(Collection<String> names) {
        return names.stream().map(cluster::node).filter(Objects::nonNull).toList();
    }

    /**
     * Returns the resource of which a node has too little for these pods besides those bound to it. O(pods of the
     * node).
     *
     * @return null if they fit, or if that cannot be told, because kube-scheduler decides in the end
     */
    @Nullable
    String shortage(String name, Collection<Pod> coming) {
        Node node = cluster.node(name);
        if (node == null) {
            return null;
        }
        Map<String, Pod> pods = new LinkedHashMap<>();
        cluster.podsOn(name).forEach(pod -> pods.put(pod.getMetadata().getUid(), pod));
        coming.forEach(pod -> pods.put(pod.getMetadata().getUid(), pod));
        try {
            return NodeRoom.shortage(node, pods.values(), served(), amounts);
        } catch (IllegalArgumentException e) {
            LOG.debugf("the free capacity of node %s cannot be computed: %s", name, e.getMessage());
            return null;
        }
    }

    /**
     * Returns the pods to be bound to a node that the watch does not show there yet, of gangs whose start has
     * progressed further than that of the pod's gang. A gang that starts directly makes way for gangs that were sent to
     * kube-scheduler, because another replica may open their barrier at any moment. Those make way for started gangs.
     * So of two gangs one proceeds. O(placements of the gangs that start or run on the node).
     */
    List<Pod> ahead(String name, BindRequest request) {
        PodReservation podReservation = cluster.reservations().ofPod(request.namespace(), request.pod());
        GangId ownId =
                podReservation == null ? null : podReservation.reservation().gang();
        GangRecord record = ownId == null ? null : cluster.reservations().record(ownId);
        List<Pod> podsAhead = new ArrayList<>();
        for (GangId gang : cluster.reservations().onTheirWay(name)) {
            GangRecord other = cluster.reservations().record(gang);
            Promise promise = other == null ? null : other.promise();
            if (other != null && promise != null && !gang.equals(ownId) && steps(other) > steps(record)) {
                for (Placement placement : promise.window().placements()) {
                    Pod pod = placement.node().equals(name) ? cluster.pod(gang.namespace(), placement.pod()) : null;
                    if (pod != null
                            && PodState.state(pod) == Member.State.WAITING
                            && !Pods.isReplacement(pod, other.startedMembers())) {
                        podsAhead.add(pod);
                    }
                }
            }
        }
        return podsAhead;
    }

    /** Returns a number that grows with the progress of a gang's start. */
    private static int steps(@Nullable GangRecord record) {
        if (record == null) {
            return 0;
        }
        return switch (record.phase()) {
            case PENDING, PROMISED, BROKEN, COMPLETED -> 0;
            case STARTING -> 1;
            case RUNNING -> 2;
        };
    }

    private Set<String> served() {
        return DeviceRoom.served(cluster.deviceClasses());
    }
}
