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
 * @param victim as it ran
 * @param rest what is left of it, among those that wait
 * @param by the gang for which it was stopped
 * @param gained pod-seconds that this one starts sooner
 */
record Interrupted(Victim.Stopped victim, PlanningGang rest, GangId by, long gained) {
    /** Its move to the window that it has now. */
    Move move(CycleResources ground) {
        Running gang = victim.running();
        Gang left = rest.gang;
        Window to = rest.window();
        long end = to == null ? ground.horizonEnd() : to.end();
        long lost = Math.max(end - gang.run().end(), victim.lost()) * left.size();
        return new Move(
                left,
                gang.work(ground.timeline()),
                ground.now() + gang.stop().back(),
                gang.run().window(),
                to,
                to == null ? Reach.NONE : ground.reach(gang.home(ground.timeline(), ground.domainKey()), to),
                new Move.Interruption(by, gained, lost));
    }
}
