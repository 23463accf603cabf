package io.slotwise.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * How the time of a demo follows the wall clock: so many of its seconds pass in each. Where the demo falls behind,
 * because planning took long or the machine slept, its time waits for it. Safe for threads.
 */
final class DemoSpeed {
    /** A demo that is further behind than this is not hurried, nanoseconds of the wall clock. */
    private static final long PATIENCE = Duration.ofMillis(250).toNanos();

    private final int speed;
    private final LongSupplier nanos;
    private Instant reached;
    private long wall;

    /** {@code speed}: seconds of the demo in one second, 0: as fast as it can; {@code nanos}: the wall clock. */
    DemoSpeed(Instant begin, int speed, LongSupplier nanos) {
        if (speed < 0) {
            throw new IllegalArgumentException("The speed (%d) must not be negative.".formatted(speed));
        }
        this.reached = begin;
        this.speed = speed;
        this.nanos = nanos;
        this.wall = nanos.getAsLong();
    }

    /** Seconds of the demo in one second; 0: as fast as it can. */
    int speed() {
        return speed;
    }

    /** What time it is in the demo, not after {@code limit}. */
    synchronized Instant now(Instant limit) {
        Instant now = reached.plusNanos(Math.multiplyExact(Math.max(0, nanos.getAsLong() - wall), speed));
        return now.isBefore(limit) ? now : limit;
    }

    /** How long the wall clock goes until it is {@code due} in the demo, nanoseconds; 0: it is. */
    synchronized long nanosUntil(Instant due) {
        return speed == 0 ? 0 : Math.max(0, dueAt(due) - nanos.getAsLong());
    }

    /** The demo has come to {@code due}. */
    synchronized void reaches(Instant due) {
        long now = nanos.getAsLong();
        long then = speed == 0 ? now : dueAt(due);
        wall = now - then > PATIENCE ? now : then;
        reached = due;
    }

    private long dueAt(Instant due) {
        return wall + Duration.between(reached, due).dividedBy(speed).toNanos();
    }
}
