package io.slotwise.live;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a replica going: one thread runs the cycles, another one releases gangs at their seconds, so that no gang waits for a
 * long cycle.
 */
public final class Heart implements AutoCloseable {
    private final InstantSource clock;
    private final Pace pace;
    private @Nullable Ticker cycles;
    private @Nullable Ticker releases;

    public Heart(Settings settings, InstantSource clock) {
        this.clock = clock;
        this.pace = new Pace(settings);
    }

    /** Begins to plan and to release. */
    public synchronized void start(PlanningLoop loop, Releases gates) {
        Ticker releasing = new Ticker("slotwise-release", clock, gates::release);
        Ticker planning = new Ticker("slotwise-plan", clock, now -> cycle(loop, releasing, now));
        releases = releasing;
        cycles = planning;
        releasing.start();
        planning.start();
    }

    /** Something changed that a cycle or a release may depend on. */
    public void changed() {
        pace.changed(clock.instant());
        wake();
    }

    /** Whether both threads live, or are not started yet. */
    public synchronized boolean beats() {
        return (cycles == null || cycles.isAlive()) && (releases == null || releases.isAlive());
    }

    @Override
    public synchronized void close() {
        if (cycles != null) {
            cycles.close();
        }
        if (releases != null) {
            releases.close();
        }
    }

    private synchronized void wake() {
        if (cycles != null && releases != null) {
            cycles.wake();
            releases.wake();
        }
    }

    private Instant cycle(PlanningLoop loop, Ticker releasing, Instant now) {
        if (!now.isBefore(pace.next())) {
            pace.begins(now);
            loop.cycle();
            pace.needs(loop.deadline());
            releasing.wake();
        }
        Instant next = pace.next();
        return next.isAfter(now) ? next : now.plus(Duration.ofMillis(1));
    }
}
