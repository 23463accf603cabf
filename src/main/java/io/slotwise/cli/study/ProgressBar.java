package io.slotwise.cli.study;

import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.workload.Job;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicLong;

/** A bar on the screen that grows with the jobs that are done; several simulations may grow it at once. */
public final class ProgressBar implements SimulationObserver, AutoCloseable {
    private static final int WIDTH = 40;
    private static final long BETWEEN_NANOS = 200_000_000;

    private final PrintWriter screen;
    private final long jobs;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong drawnAt = new AtomicLong(System.nanoTime());
    private volatile boolean drawn;

    /** A bar that is full when so many jobs are done. */
    public ProgressBar(PrintWriter screen, long jobs) {
        this.screen = screen;
        this.jobs = Math.max(1, jobs);
    }

    @Override
    public void ended(JobRun run) {
        advance();
    }

    @Override
    public void refused(Job job) {
        advance();
    }

    private void advance() {
        long now = done.incrementAndGet();
        long last = drawnAt.get();
        long time = System.nanoTime();
        if (time - last >= BETWEEN_NANOS && drawnAt.compareAndSet(last, time)) {
            drawn = true;
            int full = (int) Math.min(WIDTH, now * WIDTH / jobs);
            screen.print("\r[%s%s] %d of %d jobs".formatted("#".repeat(full), ".".repeat(WIDTH - full), now, jobs));
            screen.flush();
        }
    }

    /** Takes the bar from the screen. */
    @Override
    public void close() {
        if (drawn) {
            screen.print("\r\u001b[K");
            screen.flush();
        }
    }
}
