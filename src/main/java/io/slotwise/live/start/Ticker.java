package io.slotwise.live.start;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A thread that repeats one task: when the task asked for it, or when it is woken. A task that throws is tried again. A
 * ticker that is woken often may rest, so that one run covers several calls.
 */
public final class Ticker implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Ticker.class);
    /** The pause before a failed task is tried again. */
    public static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** The longest rest. */
    private static final Duration LONGEST_REST = Duration.ofMillis(20);

    /** A wait for a thousand years is split: its nanoseconds do not fit into a long. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final InstantSource clock;
    private final Task task;
    private final int rest;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean pending = true;
    /** The end of the rest, by {@link System#nanoTime}. */
    private long rested = System.nanoTime();

    private volatile boolean open = true;

    /** The task of a ticker. */
    @FunctionalInterface
    public interface Task {
        /** Runs the task. Returns when it must run again at the latest, or null if it waits to be woken. */
        @Nullable
        Instant run(Instant now);
    }

    public Ticker(String name, InstantSource clock, Task task) {
        this(name, clock, 0, task);
    }

    /**
     * Creates a ticker that rests.
     *
     * @param rest the rest as a multiple of the task's duration, at most 20 ms, during which it is not woken; an
     *     instant that the task asked for is kept
     */
    public Ticker(String name, InstantSource clock, int rest, Task task) {
        this.clock = clock;
        this.rest = rest;
        this.task = task;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::loop);
    }

    public void start() {
        thread.start();
    }

    /** Runs the task now, or once more if it is running. */
    public void wake() {
        lock.lock();
        try {
            pending = true;
            woken.signal();
        } finally {
            lock.unlock();
        }
    }

    public boolean isAlive() {
        return thread.isAlive();
    }

    @Override
    public void close() {
        open = false;
        thread.interrupt();
    }

    private void loop() {
        Instant next = null;
        while (open) {
            try {
                await(next);
                next = run();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                LOG.errorf(e, "%s failed; retrying", thread.getName());
                next = clock.instant().plus(AFTER_FAILURE);
            }
        }
    }

    private @Nullable Instant run() {
        long begun = System.nanoTime();
        try {
            return task.run(clock.instant());
        } finally {
            long now = System.nanoTime();
            rested = now + Math.min(LONGEST_REST.toNanos(), rest * (now - begun));
        }
    }

    private void await(@Nullable Instant next) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            // Computed once: a clock that is set back meanwhile does not lengthen the wait.
            Duration left = next == null ? LONGEST : Duration.between(clock.instant(), next);
            long end = System.nanoTime() + (left.compareTo(LONGEST) < 0 ? left.toNanos() : LONGEST.toNanos());
            while (!isDue(next, end)) {
                long now = System.nanoTime();
                if (pending && rested - now <= 0) {
                    break;
                }
                var _ = woken.awaitNanos(pending ? Math.min(rested - now, end - now) : end - now);
            }
            pending = false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue(@Nullable Instant next, long end) {
        return next != null && (System.nanoTime() - end >= 0 || !clock.instant().isBefore(next));
    }
}
