package io.slotwise.web.board;

import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;

/**
 * The known times of a gang's run: before the start as promised, then from the real start, and after the end to the
 * real end.
 *
 * @param end exclusive, of the last pod
 */
record RunInterval(long start, long end) {
    static RunInterval of(GangRecord record, Window window) {
        if (!record.phase().started()) {
            return new RunInterval(window.start(), window.end());
        }
        long start = record.history().startedAt().orElse(window.start());
        long planned = start + window.runtime();
        return new RunInterval(
                start,
                record.phase() == Phase.COMPLETED ? record.history().endedAt().orElse(planned) : planned);
    }

    /** Returns the times of one of its pods, which was planned to take {@code seconds}. */
    RunInterval of(GangRecord record, String pod, long seconds) {
        Long ended = record.history().ends().get(pod);
        if (ended != null) {
            return new RunInterval(start, ended);
        }
        return record.phase() == Phase.COMPLETED ? this : new RunInterval(start, start + seconds);
    }
}
