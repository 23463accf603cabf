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
    private volatile @Nullable Ticker cycles;
    private volatile @Nullable Ticker releases;

    public Heart(CurrentSettings settings, InstantSource clock) {
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

    /** Something changed that a cycle should know of. */
    public void changed() {
        pace.changed(clock.instant());
        wake(cycles);
    }

    /** A gang's record changed: another gang may be due next. */
    public void recordChanged() {
        wake(releases);
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

    private static void wake(@Nullable Ticker ticker) {
        if (ticker != null) {
            ticker.wake();
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
