package io.slotwise.kubernetes.bind;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A clock and an exact timer that a test advances. A pause advances them, too. */
final class ManualTimer implements BarrierTimer, InstantSource {
    private record Alarm(Instant when, Runnable task) {}

    private final List<Alarm> alarms = new ArrayList<>();
    private Instant now;

    ManualTimer(Instant now) {
        this.now = now;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public void at(Instant when, Runnable task) {
        synchronized (this) {
            if (when.isAfter(now)) {
                alarms.add(new Alarm(when, task));
                return;
            }
        }
        task.run();
    }

    @Override
    public void pause(Duration time) {
        advanceTo(instant().plus(time));
    }

    /** Runs everything that is due up to this instant, in order, each at its own time. */
    void advanceTo(Instant until) {
        while (true) {
            Alarm next;
            synchronized (this) {
                next = takeDue(until);
                Instant then = next == null ? until : next.when;
                now = then.isAfter(now) ? then : now;
            }
            if (next == null) {
                return;
            }
            next.task.run();
        }
    }

    private @Nullable Alarm takeDue(Instant until) {
        Alarm first = alarms.stream()
                .filter(alarm -> !alarm.when.isAfter(until))
                .min(Comparator.comparing(Alarm::when))
                .orElse(null);
        alarms.remove(first);
        return first;
    }
}
