package io.slotwise.kubernetes.bind;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The clock, executors and time-outs of the barrier.
 *
 * @param clock the wall clock
 * @param timer uses the same clock
 * @param executor runs blocking tasks, with a thread for each, because hundreds of them wait at once
 * @param starts runs the beginnings of starts in order
 * @param bindings runs bindings, before everything else
 * @param patience the time after its promised start in which a gang may still become whole, positive; read at each use
 */
public record BarrierTiming(
        InstantSource clock,
        BarrierTimer timer,
        Executor executor,
        StartQueue starts,
        Executor bindings,
        Supplier<Duration> patience) {
    Duration startTimeout() {
        return patience.get();
    }
}
