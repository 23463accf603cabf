package io.slotwise.live.start;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A thread that does one task again and again: when the task asked for it, or when it is woken. Whatever the task
 * throws, it is tried again. Who is woken often may rest: then the task is done for all that woke it meanwhile.
 */
public final class Ticker implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Ticker.class);
    /** When a task is tried again that has failed. */
    public static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** The longest rest. */
    private static final Duration LONGEST_REST = Duration.ofMillis(20);

    /** A task that wants to be woken in a thousand years is asked once more before: no long holds their nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final InstantSource clock;
    private final Task task;
    private final int rest;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean pending = true;
    /** Until when it rests, by {@link System#nanoTime}. */
    private long rested = System.nanoTime();

    private volatile boolean open = true;

    /** What is done. */
    @FunctionalInterface
    public interface Task {
        /** Does it, and says when it wants to be done again at the latest; null: when it is woken. */
        @Nullable
        Instant run(Instant now);
    }

    /** A ticker that begins with {@link #start}. */
    public Ticker(String name, InstantSource clock, Task task) {
        this(name, clock, 0, task);
    }

    /**
     * The same that rests.
     *
     * @param rest so many times as long as the task took it is not woken after it, 20 ms at most; an instant that the
     *     task asked for is kept
     */
    public Ticker(String name, InstantSource clock, int rest, Task task) {
        this.clock = clock;
        this.rest = rest;
        this.task = task;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::loop);
    }

    /** Begins. */
    public void start() {
        thread.start();
    }

    /** Has the task done now, or once more if it is being done. */
    public void wake() {
        lock.lock();
        try {
            pending = true;
            woken.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the thread lives. */
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
            // As long as it is from here: a clock that is set back meanwhile does not make it longer.
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
