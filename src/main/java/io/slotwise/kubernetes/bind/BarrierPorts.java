package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.extender.ReservationView;

/**
 * Whom the barrier talks to.
 *
 * @param reservations what is planned
 * @param api the API server
 * @param capacity what is bound to the nodes
 * @param roster the pods
 * @param repair takes back a gang that could not be bound whole, and records a large one
 * @param observer counts
 */
public record BarrierPorts(
        ReservationView reservations,
        BindApi api,
        NodeCapacityPort capacity,
        PodRosterPort roster,
        GangRepair repair,
        BarrierObserver observer) {}
