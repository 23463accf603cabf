package io.slotwise.kubernetes.publish;

import io.slotwise.kubernetes.bind.GangRepair;
import io.slotwise.live.cycle.GangRollback;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.record.GangRecord;

/** Takes a gang back that the API server did not let start whole, and writes the records of large ones. */
public final class BarrierRepair implements GangRepair {
    private final GangRollback repair;
    private final RecordStore records;

    public BarrierRepair(GangRollback repair, RecordStore records) {
        this.repair = repair;
        this.records = records;
    }

    @Override
    public void repair(GangRecord started, String reason) {
        repair.takeBack(started, reason);
    }

    @Override
    public boolean record(GangRecord before, GangRecord started, long epoch) {
        return records.under(epoch).write(before, started) instanceof RecordStore.Outcome.Written;
    }
}
