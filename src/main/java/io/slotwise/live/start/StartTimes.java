package io.slotwise.live.start;

import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;

/** From when to when a gang is on its way to its window's start. */
public final class StartTimes {
    private StartTimes() {}

    /**
     * From this second on a gang that was sent on its way and is not whole is not waited for any more; since the epoch.
     */
    public static long lastStart(GangRecord record, Window window, LoopSettings settings) {
        return Math.max(record.history().releasedAt().orElse(window.start()), window.start()) + settings.startTimeout();
    }
}
