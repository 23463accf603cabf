package io.slotwise.testing;

import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.GangProgress;
import io.slotwise.core.migration.Running;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;

/** Plans and running gangs with default values for everything that a test does not look at. */
public final class Usual {
    private Usual() {}

    /** Returns a plan without moves and purchases, and without an account of its choices. */
    public static Plan plan(
            long now,
            long horizonEnd,
            List<Planned> windows,
            List<Pending> pending,
            List<BrokenPromise> broken,
            List<String> notes) {
        return new Plan(
                now,
                horizonEnd,
                windows,
                pending,
                broken,
                notes,
                List.of(),
                List.of(),
                List.of(),
                SearchExtent.NONE,
                List.of(),
                Map.of());
    }

    /** Returns a running gang that keeps its work and is covered by no disruption budget. */
    public static Running running(
            Gang gang, GangProgress run, List<Occupation> room, EvictionTiming stop, List<Long> moves) {
        return new Running(gang, run, room, stop, moves, true, List.of(), 0);
    }

    public static LoopSettings settings(
            Policy policy,
            long cycle,
            long collect,
            long defaultRuntime,
            LoopSettings.Overrun overrun,
            long overrunGrace,
            long startTimeout,
            LoopSettings.MemberLoss memberLoss,
            long reservationTtl,
            long holdGrace,
            Criterion defaultCriterion,
            int searchTime) {
        return LoopSettings.DEFAULT.with(usual -> usual.policy(policy)
                .cycle(cycle)
                .collect(collect)
                .defaultRuntime(defaultRuntime)
                .overrun(overrun)
                .overrunGrace(overrunGrace)
                .startTimeout(startTimeout)
                .memberLoss(memberLoss)
                .reservationTtl(reservationTtl)
                .holdGrace(holdGrace)
                .defaultCriterion(defaultCriterion)
                .searchTime(searchTime));
    }
}
