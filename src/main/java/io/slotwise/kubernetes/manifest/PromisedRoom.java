package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The room of promises that no request stands for.
 *
 * @param now seconds since the epoch
 */
record PromisedRoom(NodeOccupants occupants, long now) {
    /**
     * A promise outlives the absence of a member until its start, and that of a gang that is on its way until it is
     * rolled back, whatever its pods say meanwhile: no other gang gets its room.
     */
    void hold(GangId id, @Nullable Promise promise, List<Pod> pods) {
        if (promise != null
                && !pods.isEmpty()
                && (promise.released() || promise.window().start() >= now)) {
            for (Placement placement : promise.window().placements()) {
                occupants.addPlacement(id.namespace(), placement, occupants.resources(holder(placement, pods)));
            }
        }
    }

    /**
     * A gang that is on its way when its window is over may start at any moment, and runs as long as was planned from
     * then on.
     */
    void holdLate(GangId id, @Nullable Promise promise, List<Pod> pods) {
        if (promise != null && promise.released() && !pods.isEmpty()) {
            for (Placement placement : promise.window().placements()) {
                occupants.addLate(id.namespace(), placement, occupants.resources(holder(placement, pods)));
            }
        }
    }

    /** The pod of a seat; one that is not there is taken for one like the first. */
    private static Pod holder(Placement placement, List<Pod> pods) {
        return pods.stream()
                .filter(pod -> pod.getMetadata().getName().equals(placement.pod()))
                .findFirst()
                .orElse(pods.getFirst());
    }
}
