package io.slotwise.lab.simulation;

import io.slotwise.lab.workload.Job;

/** Says how long jobs will run whose users do not say it, from the jobs that have ended. */
public interface RuntimeGuess {
    /** The estimate of a job that is submitted now, seconds, positive. */
    long of(Job job);

    /** A job has ended. */
    default void ended(JobRun run) {}
}
