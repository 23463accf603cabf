package io.slotwise.kubernetes;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/** Runs every task in a virtual thread of its own, a limited number at a time; the others wait in their threads. */
final class BoundedVirtualThreads implements Executor {
    private final Semaphore permits;

    BoundedVirtualThreads(int atOnce) {
        permits = new Semaphore(atOnce);
    }

    @Override
    public void execute(Runnable task) {
        Thread.startVirtualThread(() -> {
            permits.acquireUninterruptibly();
            try {
                task.run();
            } finally {
                permits.release();
            }
        });
    }
}
