package io.slotwise.live.cycle;

import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The begin of the next cycle. After a change a cycle begins at once if the planner has rested. Otherwise the planner
 * rests for a multiple of the last cycle, so that a burst is planned together. It rests no longer than {@code collect}
 * after the change. A longer rest before the last cycle counts too, so that the first pod of a burst does not delay
 * the others.
 *
 * <p>After events that went as planned the rest is longer. A cycle also begins at the loop's own deadline, and {@code
 * cycle} after the last one. Both durations are those of the settings in force.
 */
public final class CycleTrigger {
    /** The rest after a cycle as a multiple of its duration: changes take at most a fifth of one processor. */
    private static final int REST = 4;

    /** The same after events that went as planned: at most a twentieth of one processor. */
    private static final int LONG_REST = 19;

    private final CurrentSettings settings;
    private @Nullable Instant changed;
    private @Nullable Instant expected;
    private @Nullable Instant last;
    private @Nullable Instant rested;
    private @Nullable Instant longRested;
    /** The rest before the last cycle beyond the required rest, up to {@code collect}. */
    private Duration spare = Duration.ZERO;

    private @Nullable Instant deadline;

    public CycleTrigger(CurrentSettings settings) {
        this.settings = settings;
    }

    public synchronized void changed(Instant now) {
        if (changed == null) {
            changed = now;
        }
    }

    public synchronized void wentAsPlanned(Instant now) {
        if (expected == null) {
            expected = now;
        }
    }

    /** Notes that a cycle begins. Later changes are for the next one. */
    public synchronized void begins(Instant now) {
        last = now;
        spare = rested == null || !rested.isBefore(now) ? Duration.ZERO : Duration.between(rested, now);
        changed = null;
        expected = null;
        deadline = null;
    }

    public synchronized void ends(Instant now) {
        if (last != null) {
            Duration between = Duration.between(last, now);
            Duration took = between.isNegative() ? Duration.ZERO : between;
            Duration collect = Duration.ofSeconds(settings.get().collect());
            rested = now.plus(took.multipliedBy(REST)).minus(spare.compareTo(collect) < 0 ? spare : collect);
            longRested = now.plus(took.multipliedBy(LONG_REST));
        }
    }

    /** Sets the latest instant of the next cycle; null for none. */
    public synchronized void needs(@Nullable Instant second) {
        deadline = second;
    }

    /** Returns when the next cycle begins: at once if the clock was set back to before the last one. */
    public synchronized Instant next(Instant now) {
        if (last == null || now.isBefore(last)) {
            return Instant.MIN;
        }
        LoopSettings currentSettings = settings.get();
        Instant next = last.plusSeconds(currentSettings.cycle());
        next = earlier(next, due(changed, rested, currentSettings));
        next = earlier(next, due(expected, longRested, currentSettings));
        if (deadline != null && deadline.isAfter(last)) {
            next = earlier(next, deadline);
        }
        return next;
    }

    /** Returns when a change is planned; {@link Instant#MAX} if nothing changed. */
    private static Instant due(@Nullable Instant since, @Nullable Instant rest, LoopSettings settings) {
        if (since == null) {
            return Instant.MAX;
        }
        return rest == null ? since : earlier(since.plusSeconds(settings.collect()), later(since, rest));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isBefore(b) ? b : a;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
