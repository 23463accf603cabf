package io.slotwise.web.board;

import io.slotwise.live.cycle.Replica;

/** Port: a cluster to show. Called from several threads. */
public interface BoardSource {
    /** What there is to show now; made when it is asked for. */
    Board board();

    /** What time it is there. */
    Moment moment();

    /**
     * A moment of the cluster that is shown.
     *
     * @param millis since the epoch
     * @param speed how many of its seconds pass in one second of the reader's; 1 for a real cluster, 0 where time is
     *     paused, -1 where it goes on by leaps, as fast as the planner can
     */
    record Moment(long millis, int speed) {
        public Moment {
            if (speed < Replica.UNBOUNDED) {
                throw new IllegalArgumentException("The speed (%d) must be at least -1.".formatted(speed));
            }
        }
    }
}
