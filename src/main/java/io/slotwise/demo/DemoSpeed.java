package io.slotwise.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Maps the wall clock to the time of a demo, at a number of its seconds per second. If the demo falls behind, because
 * planning took long or the machine slept, its time waits. Thread-safe.
 */
final class DemoSpeed {
    /** A demo that is further behind does not catch up, nanoseconds of the wall clock. */
    private static final long PATIENCE = Duration.ofMillis(250).toNanos();

    private final int speed;
    private final LongSupplier nanos;
    private Instant reached;
    private long wall;

    /** Creates a clock; speed 0 is as fast as possible, {@code nanos} is the wall clock. */
    DemoSpeed(Instant begin, int speed, LongSupplier nanos) {
        if (speed < 0) {
            throw new IllegalArgumentException("The speed (%d) must not be negative.".formatted(speed));
        }
        this.reached = begin;
        this.speed = speed;
        this.nanos = nanos;
        this.wall = nanos.getAsLong();
    }

    /** Returns the demo's seconds per second; 0 for as fast as possible. */
    int speed() {
        return speed;
    }

    /** Returns the time in the demo, not after {@code limit}. */
    synchronized Instant now(Instant limit) {
        Instant now = reached.plusNanos(Math.multiplyExact(Math.max(0, nanos.getAsLong() - wall), speed));
        return now.isBefore(limit) ? now : limit;
    }

    /** Returns the wall clock's nanoseconds until {@code due} in the demo; 0 if it has come. */
    synchronized long nanosUntil(Instant due) {
        return speed == 0 ? 0 : Math.max(0, dueAt(due) - nanos.getAsLong());
    }

    /** Notes that the demo has reached {@code due}. */
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
