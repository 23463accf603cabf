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
    static RunInterval of(GangRecord standing, Window window) {
        if (!standing.phase().started()) {
            return new RunInterval(window.start(), window.end());
        }
        long start = standing.history().startedAt().orElse(window.start());
        long planned = start + window.runtime();
        return new RunInterval(
                start,
                standing.phase() == Phase.COMPLETED
                        ? standing.history().endedAt().orElse(planned)
                        : planned);
    }

    /** The course of one of its pods, given the seconds that its place was planned for. */
    RunInterval of(GangRecord standing, String pod, long seconds) {
        Long ended = standing.history().ends().get(pod);
        if (ended != null) {
            return new RunInterval(start, ended);
        }
        return standing.phase() == Phase.COMPLETED ? this : new RunInterval(start, start + seconds);
    }
}
