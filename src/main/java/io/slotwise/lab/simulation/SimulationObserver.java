package io.slotwise.lab.simulation;

import io.slotwise.lab.workload.Job;

public interface SimulationObserver {
    enum Why {
        /** The run lost a node. */
        DISTURBED,
        /** A job of higher priority takes its room. */
        DISPLACED,
        /** The run is moved to start another job, or to save money. */
        MOVED
    }

    default void ended(JobRun run) {}

    /** A run was stopped; its job waits again. */
    default void interrupted(JobRun run, Why why) {}

    default void submitted(Job job) {}

    /** A job was refused that the machine can never run. */
    default void refused(Job job) {}

    default void started(JobRun run) {}

    /** All events of second {@code now} are done; the load stays the same until the next call. */
    default void passed(long now, MachineLoad load) {}
}
