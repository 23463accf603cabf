package io.slotwise.kubernetes;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * Runs tasks that no caller waits for, with a limit per second and a limit at a time, so that urgent calls find places.
 * Important tasks go first. If too many wait, the oldest are dropped, the important ones last, and counted in the log.
 * A failed task does not stop the next one.
 */
final class ThrottledExecutor {
    private static final Logger LOG = Logger.getLogger(ThrottledExecutor.class);
    /** The pause for which a burst compensates. */
    private static final Duration BURST = Duration.ofMillis(50);

    private final String name;
    private final Bounds bounds;
    private final Executor executor;
    private final Semaphore places;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Deque<Runnable> first = new ArrayDeque<>();
    private final Deque<Runnable> others = new ArrayDeque<>();
    private long dropped;

    /** The limits of the executor. */
    record Bounds(int perSecond, int atOnce, int waiting) {
        Bounds {
            if (perSecond <= 0 || atOnce <= 0 || waiting <= 0) {
                throw new IllegalArgumentException(
                        "bounds of a trickle (%d a second, %d at once, %d waiting): expected positive ones"
                                .formatted(perSecond, atOnce, waiting));
            }
        }

        private long pause() {
            return TimeUnit.SECONDS.toNanos(1) / perSecond;
        }
    }

    ThrottledExecutor(String name, Bounds bounds, Executor executor) {
        this.name = name;
        this.bounds = bounds;
        this.executor = executor;
        this.places = new Semaphore(bounds.atOnce());
        Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    Executor first() {
        return task -> add(first, task);
    }

    Executor others() {
        return task -> add(others, task);
    }

    private void add(Deque<Runnable> queue, Runnable task) {
        lock.lock();
        try {
            queue.add(task);
            if (first.size() + others.size() > bounds.waiting()) {
                var _ = others.isEmpty() ? first.remove() : others.remove();
                if (dropped++ % bounds.waiting() == 0) {
                    LOG.warnf("%s: %d tasks dropped, %d wait", name, dropped, bounds.waiting());
                }
            }
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long next = System.nanoTime();
        try {
            while (true) {
                places.acquire();
                Runnable task = take();
                long now = System.nanoTime();
                next = next - now < -BURST.toNanos() ? now - BURST.toNanos() : next;
                if (next - now > 0) {
                    Thread.sleep(Duration.ofNanos(next - now));
                }
                next += bounds.pause();
                begin(task);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Runnable take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (first.isEmpty() && others.isEmpty()) {
                filled.await();
            }
            return first.isEmpty() ? others.remove() : first.remove();
        } finally {
            lock.unlock();
        }
    }

    private void begin(Runnable task) {
        try {
            executor.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    LOG.errorf(e, "%s: a task failed", name);
                } finally {
                    places.release();
                }
            });
        } catch (RuntimeException | Error e) {
            places.release();
            LOG.errorf(e, "%s: a task could not be started", name);
        }
    }
}
