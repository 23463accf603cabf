package io.slotwise.lab.simulation;

import io.slotwise.lab.workload.Job;

public interface SimulationObserver {
    enum Why {
        /** It lost a node. */
        DISTURBED,
        /** A job of higher priority takes its room. */
        DISPLACED,
        /** It is moved: for a job that waits, or to where it costs less. */
        MOVED
    }

    default void ended(JobRun run) {}

    /** A run was stopped; its job waits again. */
    default void interrupted(JobRun run, Why why) {}

    default void submitted(Job job) {}

    /** A job was submitted that the machine can never run. */
    default void refused(Job job) {}

    default void started(JobRun run) {}

    /** All of second {@code now} has happened; the machine stays so until the next call. */
    default void passed(long now, MachineLoad load) {}
}
