package io.slotwise.live.cycle;

import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.record.GangRecord;

/** What gangs were told before, in tests of single outcomes. */
enum TestNews implements PlanOutcomes.News {
    /** They were told nothing. */
    ALL,
    /** They were told everything. */
    NONE;

    @Override
    public boolean isNew(GangRecord record, Announcement announcement) {
        return this == ALL;
    }

    @Override
    public boolean isDue(GangRecord record) {
        return true;
    }
}
