package io.slotwise.live.record;

import io.slotwise.core.gang.GangId;
import java.util.OptionalLong;

/**
 * One run of a gang.
 *
 * @param gang whose
 * @param startedAt when it has started, seconds since the epoch; empty: it has not
 * @param attempts how many times it was rolled back before
 */
public record RunId(GangId gang, OptionalLong startedAt, int attempts) {
    public static RunId of(GangRecord record) {
        return new RunId(
                record.gang(), record.history().startedAt(), record.history().attempts());
    }
}
