package io.slotwise.kubernetes.bind;

import io.slotwise.live.port.RecordStore;
import io.slotwise.live.record.GangRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Keeps the records that are written.
 *
 * @param reachable whether they can be written
 */
public record WrittenRecords(List<GangRecord> records, BooleanSupplier reachable) implements RecordStore {
    public WrittenRecords(BooleanSupplier reachable) {
        this(Collections.synchronizedList(new ArrayList<>()), reachable);
    }

    @Override
    public Outcome write(GangRecord before, GangRecord after) {
        return reachable.getAsBoolean() && records.add(after)
                ? new Outcome.Written(after)
                : new Outcome.Failed("timeout");
    }

    @Override
    public Outcome delete(GangRecord record) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean catchUp() {
        return true;
    }
}
