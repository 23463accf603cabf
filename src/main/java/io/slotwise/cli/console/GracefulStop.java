package io.slotwise.cli.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets work print its results before the process ends: a signal waits for this to close, for some seconds. */
public final class GracefulStop implements AutoCloseable {
    private static final long PATIENCE = 20;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::await, "interruption");
    private volatile boolean asked;

    public GracefulStop() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public boolean asked() {
        return asked;
    }

    private void await() {
        asked = true;
        try {
            if (!done.await(PATIENCE, TimeUnit.SECONDS)) {
                System.err.println("slotwise: ended before the partial result was written");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
        if (!asked) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process is already ending, and the hook has nothing to wait for.
            }
        }
    }
}
