package io.slotwise.live;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the next cycle begins: at once after a change if the planner has rested; otherwise after a rest that is a multiple of the last cycle, so that
 * what comes in a burst is planned together, the more of it the longer a plan takes, but no later than {@code collect} after the change; when
 * the loop's own deadline comes; at the latest when the last cycle lies {@code cycle} behind. Both durations are those that are in
 * force when it is asked.
 */
public final class Pace {
    /** So many times as long as a cycle the planner rests after it: changes take a fifth of one processor at most. */
    private static final int REST = 4;

    private final CurrentSettings settings;
    private @Nullable Instant changed;
    private @Nullable Instant last;
    private @Nullable Instant rested;
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

    /** A cycle has ended. */
    public synchronized void ends(Instant now) {
        if (last != null) {
            Duration took = Duration.between(last, now);
            rested = now.plus(took.isNegative() ? Duration.ZERO : took.multipliedBy(REST));
        }
    }

    /** The loop needs a cycle then, whatever happens. */
    public synchronized void needs(@Nullable Instant second) {
        deadline = second;
    }

    /** When the next cycle begins; at once where the clock was set back to before the last one. */
    public synchronized Instant next(Instant now) {
        if (last == null || now.isBefore(last)) {
            return Instant.MIN;
        }
        Settings current = settings.get();
        Instant next = last.plusSeconds(current.cycle());
        if (changed != null) {
            Instant collected = changed.plusSeconds(current.collect());
            next = earlier(next, rested == null ? changed : earlier(collected, later(changed, rested)));
        }
        if (deadline != null && deadline.isAfter(last)) {
            next = earlier(next, deadline);
        }
        return next;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isBefore(b) ? b : a;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
