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
 * Keeps a replica going: one thread runs the cycles, another one starts gangs at their seconds, so that no gang waits
 * for a long cycle.
 */
public final class LoopRunner implements AutoCloseable {
    /** A leader that has not finished a cycle in so many times {@code cycle} does not plan. */
    private static final int CYCLES = 3;

    /**
     * So many times as long as a look at all gangs the thread that starts them rests when their records change: looks
     * take a tenth of one processor at most. A gang whose window is written for now is started without a look.
     */
    private static final int REST = 9;

    /** Cycles of a large cluster may take longer than the shortest {@code cycle}. */
    private static final Duration SHORTEST = Duration.ofSeconds(30);

    private final CurrentSettings settings;
    private final InstantSource clock;
    private final MetricsRecorder recorder;
    private final CycleTrigger trigger;
    /** Until when nothing is owed: a cycle was finished then, or this replica did not plan; null: it has not begun. */
    private volatile @Nullable Instant proven;

    private volatile @Nullable Ticker cycleTicker;
    private volatile @Nullable Ticker startTicker;

    /** A heart that begins to beat with {@link #start}. */
    public LoopRunner(CurrentSettings settings, InstantSource clock, MetricsRecorder recorder) {
        this.settings = settings;
        this.clock = clock;
        this.recorder = recorder;
        this.trigger = new CycleTrigger(settings);
    }

    /** Begins to plan and to start gangs. */
    public synchronized void start(PlanningLoop loop, GangStarter starter) {
        proven = clock.instant();
        Ticker ticker = new Ticker("slotwise-start", clock, REST, starter::look);
        Ticker planningTicker = new Ticker("slotwise-plan", clock, now -> cycle(loop, ticker, now));
        startTicker = ticker;
        cycleTicker = planningTicker;
        ticker.start();
        planningTicker.start();
    }

    /** Something changed that a cycle should know of. */
    public void changed() {
        trigger.changed(clock.instant());
        wake(cycleTicker);
    }

    /** Something became of a plan that was to become of it: a cycle should know, and no caller waits for that. */
    public void wentAsPlanned() {
        trigger.wentAsPlanned(clock.instant());
        wake(cycleTicker);
    }

    /** A gang's record changed: another gang may be due next. */
    public void recordChanged() {
        wake(startTicker);
    }

    /** Whether both threads live, or are not started yet. */
    public synchronized boolean beats() {
        return (cycleTicker == null || cycleTicker.isAlive()) && (startTicker == null || startTicker.isAlive());
    }

    /**
     * Whether the cycles that this replica owes while it plans come to their ends: false once the last one lies too far
     * behind.
     */
    public boolean proceeds() {
        Instant last = proven;
        Instant now = clock.instant();
        if (last != null && now.isBefore(last)) {
            // The clock was set back: counted from here, or nothing would be missed for as long.
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
