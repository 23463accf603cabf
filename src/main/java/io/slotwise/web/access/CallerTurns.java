package io.slotwise.web.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits each caller's computations to {@link #AT_ONCE} at a time and, in each {@link #PERIOD} since a caller's first
 * question, to {@link #TIME} of processor time. So no caller takes the turns of others. Callers are identified by
 * {@link CallerAccess#share}.
 */
public final class CallerTurns {
    static final int AT_ONCE = 4;
    static final Duration TIME = Duration.ofSeconds(20);
    static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int MOST_CALLERS = 4096;

    private final Cache<String, Share> shares;
    private final LongSupplier processorNanos;

    private record Share(Semaphore turns, AtomicLong nanos) {}

    public CallerTurns() {
        this(System::nanoTime, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
    }

    /** Creates turns with these clocks; {@code processorNanos} is the processor time of the current thread. */
    CallerTurns(LongSupplier nanos, LongSupplier processorNanos) {
        this.processorNanos = processorNanos;
        this.shares = Caffeine.newBuilder()
                .maximumSize(MOST_CALLERS)
                .expireAfterWrite(PERIOD)
                .ticker(nanos::getAsLong)
                .build();
    }

    /**
     * Runs a computation on this thread for a caller, or null if authentication is off and all have the same rights.
     *
     * @throws Bulkhead.Busy if the caller has no turn or no time left
     */
    public <T> T take(@Nullable String caller, Supplier<T> work) {
        if (caller == null) {
            return work.get();
        }
        Share share = shares.get(caller, _ -> new Share(new Semaphore(AT_ONCE), new AtomicLong()));
        if (share.nanos().get() >= TIME.toNanos()) {
            throw new Bulkhead.Busy(
                    "the answers to you have taken %d s of a processor within a minute; try again in a minute"
                            .formatted(TIME.toSeconds()));
        }
        if (!share.turns().tryAcquire()) {
            throw new Bulkhead.Busy(
                    "%d requests of yours are being answered; try again when they are".formatted(AT_ONCE));
        }
        long before = processorNanos.getAsLong();
        try {
            return work.get();
        } finally {
            share.nanos().addAndGet(processorNanos.getAsLong() - before);
            share.turns().release();
        }
    }
}
