package io.slotwise.live.cycle;

import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.record.GangRecord;

/** Earlier announcements to gangs, for tests of single outcomes. */
enum TestNews implements PlanOutcomes.News {
    /** Nothing was announced. */
    ALL,
    /** Everything was announced. */
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
