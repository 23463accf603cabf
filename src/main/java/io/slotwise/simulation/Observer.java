package io.slotwise.simulation;

import io.slotwise.workload.Job;

/** Sees what happens in a simulation, in the order in which it happens. */
public interface Observer {
    /** A run has ended. */
    default void ended(Run run) {}

    /** A run was stopped by a disturbance; its job waits again. */
    default void interrupted(Run run) {}

    /** A job was submitted and waits. */
    default void submitted(Job job) {}

    /** A job was submitted that the machine can never run. */
    default void refused(Job job) {}

    /** A run starts. */
    default void started(Run run) {}

    /** All of second {@code now} has happened; the machine stays so until the next call. */
    default void passed(long now, Load load) {}
}
