package io.slotwise.kubernetes.watch;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that notices when this process was suspended: no thread read the clock for some seconds, although
 * its own thread reads it twice a second. Data that the API server sent meanwhile is unread, so what was seen before
 * proves nothing.
 */
final class ProcessClock implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(500);
    /** The time without any reading after which the process counts as suspended. */
    static final Duration STANDSTILL = Duration.ofSeconds(3);

    private final LongSupplier nanos;
    private final Thread ticker =
            Thread.ofPlatform().name("slotwise-clock").daemon().unstarted(this::tick);
    /** The time of the last reading; guarded by this. */
    private long asked;
    /** Guarded by this. */
    private long resumed;

    /**
     * Creates a clock that notices suspensions from {@link #start} on.
     *
     * @param nanos a monotonic clock, nanoseconds
     */
    ProcessClock(LongSupplier nanos) {
        this.nanos = nanos;
        this.asked = nanos.getAsLong();
        this.resumed = asked;
    }

    void start() {
        ticker.start();
    }

    long nanos() {
        return nanos.getAsLong();
    }

    /** Returns when this process resumed after the last suspension, or when the clock was created, nanoseconds. */
    synchronized long resumed() {
        long now = nanos.getAsLong();
        if (now - asked > STANDSTILL.toNanos()) {
            resumed = now;
        }
        asked = now;
        return resumed;
    }

    private void tick() {
        try {
            while (true) {
                var _ = resumed();
                Thread.sleep(TICK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        ticker.interrupt();
    }
}
