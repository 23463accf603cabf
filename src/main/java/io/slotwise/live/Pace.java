package io.slotwise.live;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the next cycle begins: a while after the first change since the last one, so that arrivals are planned together; when
 * the loop's own deadline comes; at the latest when the last cycle lies {@code cycle} behind. Both durations are those that are in
 * force when it is asked.
 */
public final class Pace {
    private final CurrentSettings settings;
    private @Nullable Instant changed;
    private @Nullable Instant last;
    private @Nullable Instant deadline;

    /** The pace that the settings ask for. */
    public Pace(CurrentSettings settings) {
        this.settings = settings;
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
        Settings now = settings.get();
        Instant next = last.plusSeconds(now.cycle());
        if (changed != null) {
            next = earlier(next, changed.plusSeconds(now.collect()));
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
