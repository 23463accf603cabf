package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.extender.ReservationView;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.StartRefusals;
import jakarta.inject.Singleton;

/**
 * The ports of the barrier.
 *
 * @param reservations the planned windows
 * @param capacity the room of nodes
 * @param repair rolls back a gang that was not bound whole
 */
@Singleton
public record BarrierPorts(
        ReservationView reservations,
        BindApi api,
        NodeCapacityPort capacity,
        PodRosterPort roster,
        GangRepair repair,
        RecordStore records,
        StartRefusals refusals,
        BarrierObserver observer) {}
