package io.slotwise.live.cycle;

import io.slotwise.core.work.Isolated;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
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
            boolean charged = accounted.contains(gang.namespace());
            updates.put(Isolated.get(() -> settled(record, lifecycle, charged, restarts, cycleFacts), error -> {
                errors.add(gang, "settled", error);
                return RecordUpdate.untouched(record);
            }));
        });
        cycleFacts.unreadable().keySet().forEach(updates::freeze);
        return updates;
    }

    private RecordUpdate settled(
            GangRecord record,
            AdvanceReservationLifecycle reservationLifecycle,
            boolean charged,
            boolean restarts,
            CycleFacts cycleFacts) {
        List<Member> members = cycleFacts.facts().membersOf(record.gang());
        RecordUpdate update = new RecordUpdate(record);
        long leaving = cycleFacts.now() - cycleFacts.settings().policy().turnover();
        if (record.ownership().isHeld()) {
            reservationLifecycle.settle(update, cycleFacts.now());
        } else {
            lifecycle.settle(update, members, cycleFacts.now());
        }
        if (charged && update.ends() && members.stream().anyMatch(member -> member.isTerminating(leaving))) {
            update.awaitPods();
        }
        if (charged || restarts) {
            ends.note(update, members);
            sizes.note(update, members);
        }
        return update;
    }
}
