package io.slotwise.kubernetes.watch;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A clock that only runs forward, and knows when this process stood still: nobody asked the clock for some seconds
 * although one of its own threads asks it twice a second. What the API server has sent meanwhile lies unread, and what
 * was seen before proves nothing any more.
 */
final class ProcessClock implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(500);
    /** A process that nobody heard of for longer stood still. */
    static final Duration STANDSTILL = Duration.ofSeconds(3);

    private final LongSupplier nanos;
    private final Thread ticker =
            Thread.ofPlatform().name("slotwise-clock").daemon().unstarted(this::tick);
    /** When the clock was asked last; guarded by this. */
    private long asked;
    /** Guarded by this. */
    private long resumed;

    /**
     * A clock that notices standstills from {@link #start} on.
     *
     * @param nanos only runs forward, nanoseconds
     */
    ProcessClock(LongSupplier nanos) {
        this.nanos = nanos;
        this.asked = nanos.getAsLong();
        this.resumed = asked;
    }

    void start() {
        ticker.start();
    }

    /** Nanoseconds. */
    long nanos() {
        return nanos.getAsLong();
    }

    /** When this process went on after it last stood still, or the clock was made: nanoseconds. */
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
