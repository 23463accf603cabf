package io.slotwise.live.cycle;

import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.start.GangStarter;
import io.slotwise.live.start.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs the two threads of a replica: one for cycles, and one that starts gangs on time, so that no gang waits for a
 * long cycle.
 */
public final class LoopRunner implements AutoCloseable {
    /** A leader without a finished cycle for this many times {@code cycle} is stalled. */
    private static final int CYCLES = 3;

    /**
     * The pause of the start thread after a look at all gangs, as a multiple of the look's duration. So looks take at
     * most a tenth of one processor. A gang whose window begins in the cycle that plans it does not wait for a look.
     */
    private static final int REST = 9;

    /** Cycles of a large cluster may take longer than the shortest {@code cycle}. */
    private static final Duration SHORTEST = Duration.ofSeconds(30);

    private final CurrentSettings settings;
    private final InstantSource clock;
    private final MetricsRecorder recorder;
    private final CycleTrigger trigger;
    /** The last instant at which a cycle was finished, or this replica did not plan. Null before the start. */
    private volatile @Nullable Instant proven;

    private volatile @Nullable Ticker cycleTicker;
    private volatile @Nullable Ticker startTicker;

    public LoopRunner(CurrentSettings settings, InstantSource clock, MetricsRecorder recorder) {
        this.settings = settings;
        this.clock = clock;
        this.recorder = recorder;
        this.trigger = new CycleTrigger(settings);
    }

    public synchronized void start(PlanningLoop loop, GangStarter starter) {
        proven = clock.instant();
        Ticker ticker = new Ticker("slotwise-start", clock, REST, starter::look);
        Ticker planningTicker = new Ticker("slotwise-plan", clock, now -> cycle(loop, ticker, now));
        startTicker = ticker;
        cycleTicker = planningTicker;
        ticker.start();
        planningTicker.start();
    }

    /** Requests a cycle. */
    public void changed() {
        trigger.changed(clock.instant());
        wake(cycleTicker);
    }

    /** Requests a cycle, less urgently, after an event that went as planned. */
    public void wentAsPlanned() {
        trigger.wentAsPlanned(clock.instant());
        wake(cycleTicker);
    }

    /** Wakes the start thread: another gang may be due next. */
    public void recordChanged() {
        wake(startTicker);
    }

    /** Returns whether both threads are alive or not started yet. */
    public synchronized boolean beats() {
        return (cycleTicker == null || cycleTicker.isAlive()) && (startTicker == null || startTicker.isAlive());
    }

    /** Returns false if this replica plans and its last cycle is too old. */
    public boolean proceeds() {
        Instant last = proven;
        Instant now = clock.instant();
        if (last != null && now.isBefore(last)) {
            // The clock was set back. A stall would otherwise go unnoticed for as long.
            proven = now;
        }
        return last == null || !now.isAfter(last.plus(longest()));
    }

    private Duration longest() {
        Duration some = Duration.ofSeconds(settings.get().cycle()).multipliedBy(CYCLES);
        return some.compareTo(SHORTEST) < 0 ? SHORTEST : some;
    }

    @Override
    public synchronized void close() {
        if (cycleTicker != null) {
            cycleTicker.close();
        }
        if (startTicker != null) {
            startTicker.close();
        }
    }

    private static void wake(@Nullable Ticker ticker) {
        if (ticker != null) {
            ticker.wake();
        }
    }

    private Instant cycle(PlanningLoop loop, Ticker ticker, Instant now) {
        if (!now.isBefore(trigger.next(now))) {
            trigger.begins(now);
            recorder.pace(longest());
            try {
                if (loop.cycle()) {
                    proven = clock.instant();
                }
                trigger.ends(clock.instant());
                trigger.needs(loop.deadline());
            } catch (RuntimeException | Error failure) {
                recorder.cycleFailed();
                trigger.ends(clock.instant());
                trigger.needs(clock.instant().plus(Ticker.AFTER_FAILURE));
                throw failure;
            }
            ticker.wake();
        }
        Instant next = trigger.next(now);
        return next.isAfter(now) ? next : now.plus(Duration.ofMillis(1));
    }
}
