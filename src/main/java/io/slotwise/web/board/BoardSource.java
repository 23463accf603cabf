package io.slotwise.web.board;

import io.slotwise.live.cycle.Replica;

/** Port: a cluster to show. Thread-safe. */
public interface BoardSource {
    Board board();

    Moment moment();

    /**
     * The time of the shown cluster.
     *
     * @param millis since the epoch
     * @param speed seconds per second of real time; 1 for a real cluster, 0 if paused, -1 if the time leaps as fast as
     *     the planner can follow
     */
    record Moment(long millis, int speed) {
        public Moment {
            if (speed < Replica.UNBOUNDED) {
                throw new IllegalArgumentException("The speed (%d) must be at least -1.".formatted(speed));
            }
        }
    }
}
