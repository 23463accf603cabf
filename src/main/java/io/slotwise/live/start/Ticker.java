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
 * throws, it is tried again.
 */
public final class Ticker implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Ticker.class);
    /** When a task is tried again that has failed. */
    public static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** A task that wants to be woken in a thousand years is asked once more before: no long holds their nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final InstantSource clock;
    private final Task task;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean pending = true;
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
        this.clock = clock;
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
                next = task.run(clock.instant());
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                LOG.errorf(e, "%s failed; retrying", thread.getName());
                next = clock.instant().plus(AFTER_FAILURE);
            }
        }
    }

    private void await(@Nullable Instant next) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (next == null) {
                while (!pending) {
                    woken.await();
                }
            } else {
                // As long as it is from here: a clock that is set back meanwhile does not make it longer.
                Duration left = Duration.between(clock.instant(), next);
                long nanos = left.compareTo(LONGEST) < 0 ? left.toNanos() : LONGEST.toNanos();
                while (!pending && nanos > 0 && clock.instant().isBefore(next)) {
                    nanos = woken.awaitNanos(nanos);
                }
            }
            pending = false;
        } finally {
            lock.unlock();
        }
    }
}
