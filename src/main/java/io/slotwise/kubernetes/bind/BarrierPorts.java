package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.extender.ReservationView;
import io.slotwise.live.port.RecordStore;

/**
 * Whom the barrier talks to.
 *
 * @param reservations what is planned
 * @param api the API server
 * @param rooms what is bound to the nodes
 * @param roster the pods
 * @param records writes the record of a gang that is too large for a binding to carry it
 * @param repair takes back a gang that could not be bound whole
 * @param observer counts
 */
public record BarrierPorts(
        ReservationView reservations,
        BindApi api,
        NodeCapacityPort rooms,
        PodRosterPort roster,
        RecordStore records,
        GangRepair repair,
        BarrierObserver observer) {}
