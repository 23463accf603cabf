package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.extender.ReservationView;
import io.slotwise.live.port.RecordStore;
import jakarta.inject.Singleton;

/**
 * Whom the barrier talks to.
 *
 * @param reservations what is planned
 * @param api the API server
 * @param capacity what is bound to the nodes
 * @param roster the pods
 * @param repair takes back a gang that could not be bound whole
 * @param records where the start of a gang is written that is too large for a binding to carry it
 * @param observer counts
 */
@Singleton
public record BarrierPorts(
        ReservationView reservations,
        BindApi api,
        NodeCapacityPort capacity,
        PodRosterPort roster,
        GangRepair repair,
        RecordStore records,
        BarrierObserver observer) {}
