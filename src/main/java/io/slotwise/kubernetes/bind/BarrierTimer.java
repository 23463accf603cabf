package io.slotwise.kubernetes.bind;

import java.time.Duration;
import java.time.Instant;

/** The barrier's timer. */
public interface BarrierTimer {
    /**
     * Runs a task at an instant of the wall clock, a few milliseconds late at most, never early. The task may block.
     */
    void at(Instant when, Runnable task);

    /** Waits on the calling thread. */
    void pause(Duration time);
}
