package io.slotwise.live;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the next cycle begins: a while after the first change since the last one, so that arrivals are planned together; when
 * the loop's own deadline comes; at the latest when the last cycle lies {@code cycle} behind.
 */
public final class Pace {
    private final Duration cycle;
    private final Duration collect;
    private @Nullable Instant changed;
    private @Nullable Instant last;
    private @Nullable Instant deadline;

    /** The pace that the settings ask for. */
    public Pace(Settings settings) {
        this.cycle = Duration.ofSeconds(settings.cycle());
        this.collect = Duration.ofSeconds(settings.collect());
    }

    /** Something changed. */
    public synchronized void changed(Instant now) {
        if (changed == null) {
            changed = now;
        }
    }

    /** A cycle begins; what changes from here on is for the next one. */
    public synchronized void begins(Instant now) {
        last = now;
        changed = null;
        deadline = null;
    }

    /** The loop needs a cycle then, whatever happens. */
    public synchronized void needs(@Nullable Instant second) {
        deadline = second;
    }

    /** When the next cycle begins. */
    public synchronized Instant next() {
        if (last == null) {
            return Instant.MIN;
        }
        Instant next = last.plus(cycle);
        if (changed != null) {
            next = earlier(next, changed.plus(collect));
        }
        if (deadline != null && deadline.isAfter(last)) {
            next = earlier(next, deadline);
        }
        return next;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
