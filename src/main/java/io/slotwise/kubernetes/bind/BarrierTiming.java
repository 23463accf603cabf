package io.slotwise.kubernetes.bind;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * How the barrier waits.
 *
 * @param clock the wall clock
 * @param timer by the same clock
 * @param executor runs what talks to the API server: a thread for every task, since hundreds of them wait at once
 * @param startTimeout how long after its promised start a gang may still become whole
 */
public record BarrierTiming(InstantSource clock, BarrierTimer timer, Executor executor, Duration startTimeout) {
    public BarrierTiming {
        if (!startTimeout.isPositive()) {
            throw new IllegalArgumentException("The start timeout (" + startTimeout + ") must be positive.");
        }
    }
}
