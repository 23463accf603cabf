package io.slotwise.live.start;

import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;

/** The times of a gang's start. */
public final class StartTimes {
    private StartTimes() {}

    /** Returns the second at which the wait for the members of a released gang ends, since the epoch. */
    public static long lastStart(GangRecord record, Window window, LoopSettings settings) {
        return Math.max(record.history().releasedAt().orElse(window.start()), window.start()) + settings.startTimeout();
    }
}
