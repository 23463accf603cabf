package io.slotwise.kubernetes.bind;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How the barrier waits.
 *
 * @param clock the wall clock
 * @param timer by the same clock
 * @param executor runs what may wait: a thread for every task, since hundreds of them wait at once
 * @param starts runs the writes that make starts durable, in the order in which it is given them
 * @param bindings runs bindings, before all else
 * @param patience how long after its promised start a gang may still become whole, positive; asked whenever it matters
 */
public record BarrierTiming(
        InstantSource clock,
        BarrierTimer timer,
        Executor executor,
        StartQueue starts,
        Executor bindings,
        Supplier<Duration> patience) {
    /** {@link #patience} as it is now. */
    Duration startTimeout() {
        return patience.get();
    }
}
