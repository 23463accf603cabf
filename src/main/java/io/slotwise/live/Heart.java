package io.slotwise.live;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a replica going: one thread runs the cycles, another one starts gangs at their seconds, so that no gang waits for a
 * long cycle.
 */
public final class Heart implements AutoCloseable {
    private final InstantSource clock;
    private final Pace pace;
    private volatile @Nullable Ticker cycles;
    private volatile @Nullable Ticker starts;

    public Heart(CurrentSettings settings, InstantSource clock) {
        this.clock = clock;
        this.pace = new Pace(settings);
    }

    /** Begins to plan and to start gangs. */
    public synchronized void start(PlanningLoop loop, GangStarter starter) {
        Ticker starting = new Ticker("slotwise-start", clock, starter::look);
        Ticker planning = new Ticker("slotwise-plan", clock, now -> cycle(loop, starting, now));
        starts = starting;
        cycles = planning;
        starting.start();
        planning.start();
    }

    /** Something changed that a cycle should know of. */
    public void changed() {
        pace.changed(clock.instant());
        wake(cycles);
    }

    /** A gang's record changed: another gang may be due next. */
    public void recordChanged() {
        wake(starts);
    }

    /** Whether both threads live, or are not started yet. */
    public synchronized boolean beats() {
        return (cycles == null || cycles.isAlive()) && (starts == null || starts.isAlive());
    }

    @Override
    public synchronized void close() {
        if (cycles != null) {
            cycles.close();
        }
        if (starts != null) {
            starts.close();
        }
    }

    private static void wake(@Nullable Ticker ticker) {
        if (ticker != null) {
            ticker.wake();
        }
    }

    private Instant cycle(PlanningLoop loop, Ticker starting, Instant now) {
        if (!now.isBefore(pace.next())) {
            pace.begins(now);
            loop.cycle();
            pace.ends(clock.instant());
            pace.needs(loop.deadline());
            starting.wake();
        }
        Instant next = pace.next();
        return next.isAfter(now) ? next : now.plus(Duration.ofMillis(1));
    }
}
