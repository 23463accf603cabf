package io.slotwise.kubernetes;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Runs tasks one after the other, and rests after each for longer than it took: what is not urgent gives way by itself when the
 * API server is slow. Where more wait than it can remember, the newest are dropped and counted in the log.
 */
final class UnhurriedThread implements Executor {
    private static final Logger LOG = Logger.getLogger(UnhurriedThread.class);
    private static final int MOST_WAITING = 20_000;
    private static final int REST = 4;
    private static final Duration LONGEST_REST = Duration.ofMillis(400);

    private final BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong dropped = new AtomicLong();

    UnhurriedThread(String name) {
        Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    @Override
    public void execute(Runnable task) {
        if (!waiting.offer(task) && dropped.incrementAndGet() % MOST_WAITING == 1) {
            LOG.warnf("%d tasks dropped: %d wait already", dropped.get(), MOST_WAITING);
        }
    }

    private void run() {
        try {
            while (true) {
                Runnable task = waiting.take();
                long began = System.nanoTime();
                try {
                    task.run();
                } catch (RuntimeException e) {
                    LOG.errorf(e, "a task failed");
                }
                Duration rest = Duration.ofNanos((System.nanoTime() - began) * REST);
                Thread.sleep(rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
