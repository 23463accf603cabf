package io.slotwise.live.cycle;

import io.slotwise.core.planner.queue.BypassCounter;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.stream.Stream;

/** Counts how many gangs have passed each waiting gang. */
final class BypassCounts {
    private BypassCounts() {}

    /** Counts the gangs that were ever promised a window. */
    static BypassCounter everPromised(Stream<RecordUpdate> updates) {
        return new BypassCounter(updates.map(RecordUpdate::before)
                .filter(record -> record.history().promisedStart().isPresent())
                .map(GangRecord::arrival)
                .toList());
    }

    /**
     * Adds the gangs whose records are removed to the counts of the waiting gangs that they passed. All others are
     * counted from their records. So nothing is written while others pass, and the next leader gets the same number.
     * Nothing is counted beyond {@code limit}: such a gang is served first anyway, and among many short gangs each
     * would cause a write for every waiting gang.
     */
    static void keep(RecordUpdates updates, int limit) {
        BypassCounter counter = everPromised(updates.stream().filter(RecordUpdate::gone));
        for (RecordUpdate update : updates.all()) {
            GangRecord record = update.after();
            if (!update.gone() && !update.isFrozen() && record.promise() == null && record.phase() == Phase.PENDING) {
                int passed = Math.min(
                        counter.passed(record.arrival()),
                        limit - record.history().passed());
                if (passed > 0) {
                    update.become(record.withHistory(record.history().passedBy(passed)));
                }
            }
        }
    }
}
