package io.slotwise.core.planner.preemption;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.CycleResources;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;

/**
 * A gang that ran and was stopped.
 *
 * @param stopped the gang as it ran
 * @param remainingGang the rest of it, among the waiting gangs
 * @param byId the gang for which it was stopped
 * @param reclaimed whether its queue borrowed from that gang's queue
 * @param gained pod-seconds by which that gang starts sooner
 */
record Interrupted(Victim.Stopped stopped, PlanningGang remainingGang, GangId byId, boolean reclaimed, long gained) {
    Move move(CycleResources resources) {
        Running running = stopped.running();
        Gang left = remainingGang.gang;
        Window targetWindow = remainingGang.window();
        long end = targetWindow == null ? resources.horizonEnd() : targetWindow.end();
        long lost = Math.max(end - running.progress().end(), stopped.lost()) * left.size();
        return new Move(
                left,
                running.work(resources.timeline()),
                resources.now() + running.timing().back(),
                running.progress().window(),
                targetWindow,
                targetWindow == null
                        ? Reach.NONE
                        : resources.reach(running.home(resources.timeline(), resources.domainKey()), targetWindow),
                reclaimed ? new Move.Reclaim(byId, gained, lost) : new Move.Interruption(byId, gained, lost));
    }
}
