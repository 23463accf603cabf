package io.slotwise.live.cycle;

import io.slotwise.core.planner.queue.BypassCounter;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.stream.Stream;

/** How many gangs have passed each one that waits. */
final class PassedOver {
    private PassedOver() {}

    /** Those of the gangs that were ever promised a window. */
    static BypassCounter everPromised(Stream<RecordUpdate> updates) {
        return new BypassCounter(updates.map(RecordUpdate::before)
                .filter(record -> record.history().promisedStart().isPresent())
                .map(GangRecord::arrival)
                .toList());
    }

    /**
     * Gangs that wait count those that have passed them by their records; of records that go the number is kept. So
     * nothing is written while others pass, and the replica that plans next comes to the same number. None is counted
     * beyond {@code limit}: it is served first then anyway, and among gangs that come and go all the time each would be
     * a write for every gang that waits.
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
