package io.slotwise.web.access;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Lets one caller at a time run a long computation, so that planning keeps its processors. */
public final class Bulkhead {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Semaphore free = new Semaphore(1, true);
    private final Duration patience;

    /** Creates a bulkhead at which callers wait up to five seconds. */
    public Bulkhead() {
        this(PATIENCE);
    }

    Bulkhead(Duration patience) {
        this.patience = patience;
    }

    /** No turn is free; the message says why, and when to try again. */
    public static final class Busy extends RuntimeException {
        private static final long serialVersionUID = 1;

        Busy(String message) {
            super(message);
        }

        Busy() {
            this("too many requests at once; try again in a moment");
        }
    }

    /**
     * Runs the work when it is this caller's turn.
     *
     * @throws Busy if the wait is over before
     */
    public <T> T take(Supplier<T> work) {
        try {
            if (!free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Busy();
        }
        try {
            return work.get();
        } finally {
            free.release();
        }
    }
}
