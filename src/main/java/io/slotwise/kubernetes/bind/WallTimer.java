package io.slotwise.kubernetes.bind;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A timer by the wall clock. While a task waits, the clock is read at least once a second, so that changes of the clock
 * are followed, and always once before the task runs.
 */
public final class WallTimer implements BarrierTimer, AutoCloseable {
    private static final Duration LONGEST_NAP = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final Executor executor;
    private final ScheduledThreadPoolExecutor alarms;

    /**
     * @param executor runs the tasks, which may block
     */
    public WallTimer(InstantSource clock, Executor executor) {
        this.clock = clock;
        this.executor = executor;
        this.alarms = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("barrier-timer").factory());
        alarms.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void at(Instant when, Runnable task) {
        Duration left = Duration.between(clock.instant(), when);
        if (!left.isPositive()) {
            executor.execute(task);
            return;
        }
        Duration nap = left.compareTo(LONGEST_NAP) > 0 ? LONGEST_NAP : left;
        var _ = alarms.schedule(() -> at(when, task), nap.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        alarms.shutdownNow();
    }
}
