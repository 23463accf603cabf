package io.slotwise.live.record;

import io.slotwise.core.gang.GangId;

/**
 * A run of a gang.
 *
 * @param record the UID of its record
 * @param attempts how many times the gang was rolled back before
 */
public record RunId(GangId gang, String record, int attempts) {
    public static RunId of(GangRecord record) {
        return new RunId(record.gang(), record.uid(), record.history().attempts());
    }
}
