package io.slotwise.live.record;

import io.slotwise.core.gang.GangId;
import java.util.OptionalLong;

/**
 * A run of a gang.
 *
 * @param startedAt seconds since the epoch; empty before the start
 * @param attempts how many times the gang was rolled back before
 */
public record RunId(GangId gang, OptionalLong startedAt, int attempts) {
    public static RunId of(GangRecord record) {
        return new RunId(
                record.gang(), record.history().startedAt(), record.history().attempts());
    }
}
