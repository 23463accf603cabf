package io.slotwise.lab.simulation.grid;

import io.slotwise.lab.workload.Job;
import java.util.BitSet;

/**
 * A job in the grid: where its tasks are and how much is left of them. All tasks start together, stop together and keep
 * their processors until the one on the slowest is done.
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
        /** Its tasks wait in the queues of their processors. */
        WAITING,
        /** Its tasks are on their way to other processors, and all its processors are reserved for it. */
        MIGRATING,
        RUNNING,
        ENDED
    }

    /** A job that arrives; {@code number}: in the order of arrival. */
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

    /** The processors of its tasks; not to be changed. */
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

    /** Starts; returns when it will end if nothing stops it, seconds. */
    long start(Grid grid, long now) {
        clock = processors.stream().map(grid.clocks()::get).min().orElseThrow();
        state = State.RUNNING;
        startedAt = now;
        return now + Math.ceilDiv(left, clock);
    }

    /** When it started last, seconds. */
    long startedAt() {
        return startedAt;
    }

    void stop(long now) {
        left = Math.max(1, left - (now - startedAt) * clock);
        ran += now - startedAt;
        state = State.WAITING;
    }

    /** Ends; returns for how long it ran, but for what was lost, seconds. */
    long end(long now) {
        state = State.ENDED;
        return ran + now - startedAt;
    }

    /** How many gangs that came later have migrated past it. */
    int passedOver() {
        return passedOver;
    }

    void passOver() {
        passedOver++;
    }
}
