package io.slotwise.live.record;

import io.slotwise.core.gang.GangId;

/**
 * One run of a gang.
 *
 * @param gang whose
 * @param record the UID of its record
 * @param attempts how many times it was rolled back before
 */
public record RunId(GangId gang, String record, int attempts) {
    /** The run that a standing is about. */
    public static RunId of(GangRecord record) {
        return new RunId(record.gang(), record.uid(), record.history().attempts());
    }
}
