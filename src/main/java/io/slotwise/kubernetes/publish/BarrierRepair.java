package io.slotwise.kubernetes.publish;

import io.slotwise.kubernetes.bind.GangRepair;
import io.slotwise.live.cycle.GangRollback;
import io.slotwise.live.record.GangRecord;

/** Takes a gang back that the API server did not let start whole. */
public final class BarrierRepair implements GangRepair {
    private final GangRollback repair;

    public BarrierRepair(GangRollback repair) {
        this.repair = repair;
    }

    @Override
    public void repair(GangRecord started, String reason) {
        repair.takeBack(started, reason);
    }
}
