package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.ClusterView.Intaken;
import io.slotwise.live.port.StartRefusals;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.Map;

/**
 * The input of a plan at one moment: steps 1 to 5 of {@link PlanningLoop}, with the remaining budgets. Nothing is
 * written, nothing is being started, and nothing is known of earlier cycles.
 */
public final class CyclePreview {
    private CyclePreview() {}

    public static Intaken of(ClusterView view, LoopSettings settings, long now) {
        PlanningErrors errors = new PlanningErrors();
        CycleFacts facts = new CycleFacts(
                settings, view.facts(), view.unreadable().keySet(), view.unreadable(), Instant.ofEpochSecond(now));
        GangLifecycle lifecycle =
                new GangLifecycle(settings, new Still(view, facts.facts().histories(), now));
        RecordUpdates updates =
                new Settlement(lifecycle, new MemberEnds(now, true), new MemberSizes(view, now), errors).settle(facts);
        LedgerUpdate update = PlanningLoop.account(facts, updates);
        Agreement agreement = new Agreement(facts, _ -> false, new RecentPromises(), errors, StartRefusals.NONE);
        Intaken intaken = view.take(settings, updates.forSnapshot(), now);
        Snapshot agreedSnapshot = agreement.agree(intaken, updates);
        if (Agreement.isTakenBack(intaken, agreedSnapshot)) {
            intaken = view.take(settings, updates.forSnapshot(), now);
            agreedSnapshot = agreement.agree(intaken, updates);
        }
        Snapshot chargedSnapshot = PlanningLoop.charged(agreedSnapshot, update, updates, facts);
        return intaken.with(_ -> chargedSnapshot);
    }

    /** A cluster without starts and stops in progress. */
    private record Still(ClusterView view, Map<String, RunHistory> histories, long leadingSince)
            implements GangLifecycle.Surroundings {
        @Override
        public boolean isStarting(GangRecord record) {
            return false;
        }

        @Override
        public boolean isKept(GangId gang) {
            return false;
        }
    }
}
