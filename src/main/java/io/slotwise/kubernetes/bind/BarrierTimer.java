package io.slotwise.kubernetes.bind;

import java.time.Duration;
import java.time.Instant;

/** Time as the barrier needs it. */
public interface BarrierTimer {
    /**
     * Runs a task at an instant of the wall clock, a few milliseconds late at most, never early. It runs on a thread
     * that may wait.
     */
    void at(Instant when, Runnable task);

    /** Waits on the calling thread. */
    void pause(Duration time);
}
