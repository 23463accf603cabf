package io.slotwise.kubernetes.publish;

import io.slotwise.kubernetes.bind.GangRepair;
import io.slotwise.live.cycle.GangRollback;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.record.GangRecord;

/** Takes a gang back that the API server did not let start whole, and writes the records of large ones. */
public final class BarrierRepair implements GangRepair {
    private final GangRollback rollback;
    private final RecordStore records;

    public BarrierRepair(GangRollback rollback, RecordStore records) {
        this.rollback = rollback;
        this.records = records;
    }

    @Override
    public void repair(GangRecord startedRecord, String reason) {
        rollback.takeBack(startedRecord, reason);
    }

    @Override
    public boolean record(GangRecord before, GangRecord startedRecord, long epoch) {
        return records.under(epoch).write(before, startedRecord) instanceof RecordStore.Outcome.Written;
    }
}
