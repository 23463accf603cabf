package io.slotwise.web.board;

import io.slotwise.core.window.Window;
import io.slotwise.live.Phase;
import io.slotwise.live.Standing;

/**
 * The seconds that a gang's window takes as far as they are known: before the start as promised, afterwards from the real start, after the end
 * to the real end.
 *
 * @param start the first second
 * @param end the first second after the last pod
 */
record Course(long start, long end) {
    /** The course of a gang with a window. */
    static Course of(Standing standing, Window window) {
        if (!standing.phase().started()) {
            return new Course(window.start(), window.end());
        }
        long start = standing.history().startedAt().orElse(window.start());
        long planned = start + window.runtime();
        return new Course(
                start,
                standing.phase() == Phase.COMPLETED
                        ? standing.history().endedAt().orElse(planned)
                        : planned);
    }

    /** The course of one of its pods, given the seconds that its place was planned for. */
    Course of(Standing standing, String pod, long seconds) {
        Long ended = standing.history().ends().get(pod);
        if (ended != null) {
            return new Course(start, ended);
        }
        return standing.phase() == Phase.COMPLETED ? this : new Course(start, start + seconds);
    }
}
