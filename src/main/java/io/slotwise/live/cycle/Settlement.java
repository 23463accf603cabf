package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import java.util.Set;

/**
 * Updates every gang to the second of the cycle by the state of its pods, before anything is planned. Gangs that the
 * cycle leaves alone and gangs with errors keep their records.
 *
 * @param ends records the ends of members of gangs whose restart or ledger needs them
 * @param sizes records the sizes of the same members
 */
record Settlement(GangLifecycle lifecycle, MemberEnds ends, MemberSizes sizes, PlanningErrors errors) {
    RecordUpdates settle(CycleFacts cycleFacts) {
        ClusterFacts facts = cycleFacts.facts();
        AdvanceReservationLifecycle lifecycle = new AdvanceReservationLifecycle(
                cycleFacts.settings(),
                facts.records().values(),
                // A gang whose pods are unknown keeps its part of the reservation.
                record ->
                        Isolated.get(() -> GangLifecycle.isWhole(record, facts.membersOf(record.gang())), _ -> false));
        Set<String> accounted = facts.accounted(cycleFacts.settings().policy());
        boolean restarts = cycleFacts.settings().memberLoss() == LoopSettings.MemberLoss.RESTART;
        RecordUpdates updates = new RecordUpdates(cycleFacts.now(), errors);
        facts.records().forEach((gang, record) -> {
            if (cycleFacts.frozen().contains(gang)) {
                updates.put(RecordUpdate.frozen(record));
                return;
            }
            boolean noted = restarts || accounted.contains(gang.namespace());
            updates.put(Isolated.get(() -> settled(record, lifecycle, noted, cycleFacts), error -> {
                errors.add(gang, "settled", error);
                return RecordUpdate.untouched(record);
            }));
        });
        cycleFacts.unreadable().keySet().forEach(updates::freeze);
        return updates;
    }

    private RecordUpdate settled(
            GangRecord record, AdvanceReservationLifecycle reservationLifecycle, boolean noted, CycleFacts cycleFacts) {
        GangId gang = record.gang();
        ClusterFacts facts = cycleFacts.facts();
        RecordUpdate update = new RecordUpdate(record);
        if (record.ownership().isHeld()) {
            reservationLifecycle.settle(update, cycleFacts.now());
        } else {
            lifecycle.settle(update, facts.membersOf(gang), cycleFacts.now());
        }
        if (noted) {
            ends.note(update, facts.membersOf(gang));
            sizes.note(update, facts.membersOf(gang));
        }
        return update;
    }
}
