package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The room of promises without a request.
 *
 * @param now seconds since the epoch
 */
record PromisedRoom(NodeOccupants occupants, long now) {
    /**
     * Keeps the room of a promise, whatever the gang's pods state. The promise survives a missing member until its
     * start, and after the release until a rollback.
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
     * Keeps the room of a released gang whose window is over. It may start at any moment and then runs for the planned
     * length.
     */
    void holdLate(GangId id, @Nullable Promise promise, List<Pod> pods) {
        if (promise != null && promise.released() && !pods.isEmpty()) {
            for (Placement placement : promise.window().placements()) {
                occupants.addLate(id.namespace(), placement, occupants.resources(holder(placement, pods)));
            }
        }
    }

    private static Pod holder(Placement placement, List<Pod> pods) {
        return pods.stream()
                .filter(pod -> pod.getMetadata().getName().equals(placement.pod()))
                .findFirst()
                .orElse(pods.getFirst());
    }
}
