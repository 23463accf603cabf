package io.slotwise.lab.simulation.grid;

import io.slotwise.lab.workload.Job;
import java.util.BitSet;

/**
 * A job in the grid, with the processors of its tasks and its remaining time. All tasks start and stop together, and
 * keep their processors until the slowest is done.
 */
final class GridJob {
    private final Job job;
    private final long number;
    private final int tasks;
    private final BitSet processors = new BitSet();
    private long left;
    private long startedAt;
    private long reservedUntil;
    private int clock;
    private int passedOver;
    private long ran;
    private State state = State.WAITING;

    enum State {
        /** The tasks are in the queues of their processors. */
        WAITING,
        /** The tasks are on their way to other processors, and all its processors are reserved. */
        MIGRATING,
        RUNNING,
        ENDED
    }

    GridJob(Job job, long number) {
        this.job = job;
        this.number = number;
        this.tasks = job.size();
        this.left = Math.multiplyExact(job.runtime(), Grid.STANDARD_CLOCK);
    }

    Job job() {
        return job;
    }

    long number() {
        return number;
    }

    int tasks() {
        return tasks;
    }

    boolean isPriority() {
        return tasks == 1;
    }

    State state() {
        return state;
    }

    /** Returns the processors of its tasks. The caller must not change the set. */
    BitSet processors() {
        return processors;
    }

    void moveTo(BitSet others) {
        processors.clear();
        processors.or(others);
    }

    void migrate(long until) {
        state = State.MIGRATING;
        reservedUntil = until;
    }

    long reservedUntil() {
        return reservedUntil;
    }

    /** Starts the job. Returns its end if nothing stops it, seconds. */
    long start(Grid grid, long now) {
        clock = processors.stream().map(grid.clocks()::get).min().orElseThrow();
        state = State.RUNNING;
        startedAt = now;
        return now + Math.ceilDiv(left, clock);
    }

    long startedAt() {
        return startedAt;
    }

    void stop(long now) {
        left = Math.max(1, left - (now - startedAt) * clock);
        ran += now - startedAt;
        state = State.WAITING;
    }

    /** Ends the job. Returns the seconds of its runs without lost ones. */
    long end(long now) {
        state = State.ENDED;
        return ran + now - startedAt;
    }

    /** Returns how many later gangs have migrated past it. */
    int passedOver() {
        return passedOver;
    }

    void passOver() {
        passedOver++;
    }
}
