package io.slotwise.lab.simulation;

import io.slotwise.lab.simulation.SimulationObserver.Why;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.workload.Job;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one workload through virtual time under one policy.
 *
 * <p>All events of one second are applied first: ends in the order of their starts, changes of the machine, and
 * submissions in the workload's order. Then one pass of the scheduler stops runs and starts jobs. The simulation ends
 * when no event is left; jobs that cannot start may still wait then.
 *
 * <p>For n jobs, of which r run at once: O(n log r) time and O(r) memory, without the scheduler's.
 */
public final class Simulation {
    private static final Comparator<Running> BY_END = Comparator.comparingLong((Running running) -> running.run.end())
            .thenComparingLong(running -> running.number);

    private final Iterator<Job> arrivals;
    private final Deque<Disturbance> disturbances;
    private final Scheduler scheduler;
    private final List<SimulationObserver> observers;
    private final Map<String, Running> running = new HashMap<>();
    private final PriorityQueue<Running> ends = new PriorityQueue<>(BY_END);
    private @Nullable Job next;
    private long starts;
    private long waiting;

    /** Creates a simulation of jobs by ascending submission and disturbances by ascending second. */
    public Simulation(
            Iterator<Job> arrivals,
            List<? extends Disturbance> disturbances,
            Scheduler scheduler,
            SimulationObserver... observers) {
        this.arrivals = arrivals;
        this.disturbances = new ArrayDeque<>(disturbances);
        this.scheduler = scheduler;
        this.observers = List.of(observers);
    }

    private record Running(JobRun run, long number) {}

    /** The end of a simulation; {@code complete} tells whether no event was left. */
    public record Ending(boolean complete, long waiting, long running) {}

    /** Runs until no event is left, or the caller stops it. */
    public Ending run(BooleanSupplier stopped) {
        advance();
        long now = nextSecond();
        while (now != Scheduler.NEVER && !stopped.getAsBoolean()) {
            end(now);
            disturb(now);
            submit(now);
            start(now);
            MachineLoad load = scheduler.load(now);
            for (SimulationObserver observer : observers) {
                observer.passed(now, load);
            }
            long after = nextSecond();
            if (after <= now) {
                throw new IllegalStateException("The second after %d must not be %d.".formatted(now, after));
            }
            now = after;
        }
        return new Ending(now == Scheduler.NEVER, waiting, running.size());
    }

    /** Returns the second of the next event. Failures, price changes and owners' jobs only count while a job waits. */
    private long nextSecond() {
        long second = next == null ? Scheduler.NEVER : next.submit();
        Running first = ends.peek();
        if (first != null) {
            second = Math.min(second, first.run.end());
        }
        Disturbance disturbance = disturbances.peek();
        if (disturbance != null && (second != Scheduler.NEVER || waiting > 0)) {
            second = Math.min(second, disturbance.second());
        }
        return waiting > 0 || second != Scheduler.NEVER ? Math.min(second, scheduler.wakesAt()) : second;
    }

    private void end(long now) {
        for (Running first = ends.peek(); first != null && first.run.end() <= now; first = ends.peek()) {
            ends.remove();
            running.remove(first.run.job().id());
            scheduler.ended(first.run);
            for (SimulationObserver observer : observers) {
                observer.ended(first.run);
            }
        }
    }

    private void disturb(long now) {
        for (Disturbance first = disturbances.peek();
                first != null && first.second() <= now;
                first = disturbances.peek()) {
            disturbances.remove();
            scheduler.meets(first, now).forEach(run -> interrupt(run, Why.DISTURBED));
        }
    }

    private void interrupt(JobRun run, Why why) {
        Running before = running.remove(run.job().id());
        if (before == null) {
            throw new IllegalStateException(
                    "The job (%s) does not run.".formatted(run.job().id()));
        }
        ends.remove(before);
        waiting++;
        observers.forEach(observer -> observer.interrupted(run, why));
    }

    private void submit(long now) {
        for (Job job = next; job != null && job.submit() <= now; job = advance()) {
            submit(job, scheduler.submitted(job, now));
        }
    }

    private void submit(Job job, boolean admitted) {
        waiting += admitted ? 1 : 0;
        observers.forEach(admitted ? observer -> observer.submitted(job) : observer -> observer.refused(job));
    }

    private @Nullable Job advance() {
        Job before = next;
        next = arrivals.hasNext() ? arrivals.next() : null;
        if (before != null && next != null && next.submit() < before.submit()) {
            throw new IllegalArgumentException("The job (%s) is submitted at %d, before the job (%s) ahead of it."
                    .formatted(next.id(), next.submit(), before.id()));
        }
        return next;
    }

    private void start(long now) {
        scheduler.stops(now).forEach(stopped -> interrupt(stopped.run(), stopped.why()));
        for (JobRun run : scheduler.pass(now)) {
            Running begunRunning = new Running(run, starts++);
            if (running.put(run.job().id(), begunRunning) != null) {
                throw new IllegalStateException(
                        "The job (%s) runs already.".formatted(run.job().id()));
            }
            ends.add(begunRunning);
            waiting--;
            observers.forEach(observer -> observer.started(run));
        }
    }
}
