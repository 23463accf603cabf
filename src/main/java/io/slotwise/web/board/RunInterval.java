package io.slotwise.web.board;

import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;

/**
 * The seconds that a gang's window takes as far as they are known: before the start as promised, afterwards from the
 * real start, after the end to the real end.
 *
 * @param start the first second
 * @param end the first second after the last pod
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

    /** The course of one of its pods, given the seconds that its place was planned for. */
    RunInterval of(GangRecord record, String pod, long seconds) {
        Long ended = record.history().ends().get(pod);
        if (ended != null) {
            return new RunInterval(start, ended);
        }
        return record.phase() == Phase.COMPLETED ? this : new RunInterval(start, start + seconds);
    }
}
