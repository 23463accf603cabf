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
 * What each caller may have worked out: {@link #AT_ONCE} answers at a time, and in each {@link #PERIOD}, which begins
 * with a caller's first question, {@link #TIME} of a processor. So no caller takes the turns of the others. Callers are
 * told apart by {@link CallerAccess#share}.
 */
public final class CallerTurns {
    static final int AT_ONCE = 4;
    static final Duration TIME = Duration.ofSeconds(20);
    static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int MOST_CALLERS = 4096;

    private final Cache<String, Share> shares;
    private final LongSupplier processorNanos;

    private record Share(Semaphore turns, AtomicLong nanos) {}

    /** Turns by this machine's clocks. */
    public CallerTurns() {
        this(System::nanoTime, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
    }

    /**
     * Turns by these clocks.
     *
     * @param processorNanos what the current thread has used of a processor
     */
    CallerTurns(LongSupplier nanos, LongSupplier processorNanos) {
        this.processorNanos = processorNanos;
        this.shares = Caffeine.newBuilder()
                .maximumSize(MOST_CALLERS)
                .expireAfterWrite(PERIOD)
                .ticker(nanos::getAsLong)
                .build();
    }

    /**
     * Works something out for a caller, on this thread.
     *
     * @param caller whose share it is; null: nobody is asked who they are, and all have the same rights
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
