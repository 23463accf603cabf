package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import java.util.Set;

/**
 * Takes every gang on to the second of the cycle by what its pods did, before anything is planned: {@link
 * GangLifecycle} for gangs, {@link AdvanceReservationLifecycle} for advance reservations. A gang that the cycle leaves
 * alone keeps its record; so does one over which there is an error.
 *
 * @param ends notes when members ended, of the gangs for which a restart or a ledger needs to know
 * @param sizes notes what members take, of the same gangs
 */
record Settlement(GangLifecycle lifeCycle, MemberEnds ends, MemberSizes sizes, PlanningErrors failures) {
    /** The drafts of all gangs that are known. */
    RecordUpdates settle(CycleFacts scene) {
        ClusterFacts facts = scene.facts();
        AdvanceReservationLifecycle holdLife = new AdvanceReservationLifecycle(
                scene.settings(),
                facts.standings().values(),
                // A guest whose pods cannot be told keeps its part.
                standing -> Isolated.get(
                        () -> GangLifecycle.isWhole(standing, facts.membersOf(standing.gang())), _ -> false));
        Set<String> accounted = facts.accounted(scene.settings().policy());
        boolean restarts = scene.settings().memberLoss() == LoopSettings.MemberLoss.RESTART;
        RecordUpdates drafts = new RecordUpdates(scene.now(), failures);
        facts.standings().forEach((gang, standing) -> {
            if (scene.frozen().contains(gang)) {
                drafts.put(RecordUpdate.frozen(standing));
                return;
            }
            boolean noted = restarts || accounted.contains(gang.namespace());
            drafts.put(Isolated.get(() -> settled(standing, holdLife, noted, scene), error -> {
                failures.add(gang, "settled", error);
                return RecordUpdate.untouched(standing);
            }));
        });
        scene.unreadable().keySet().forEach(drafts::freeze);
        return drafts;
    }

    private RecordUpdate settled(
            GangRecord standing, AdvanceReservationLifecycle holdLife, boolean noted, CycleFacts scene) {
        GangId gang = standing.gang();
        ClusterFacts facts = scene.facts();
        RecordUpdate draft = new RecordUpdate(standing);
        if (standing.tenure().isHeld()) {
            holdLife.settle(draft, scene.now());
        } else {
            lifeCycle.settle(draft, facts.membersOf(gang), scene.now());
        }
        if (noted) {
            ends.note(draft, facts.membersOf(gang));
            sizes.note(draft, facts.membersOf(gang));
        }
        return draft;
    }
}
