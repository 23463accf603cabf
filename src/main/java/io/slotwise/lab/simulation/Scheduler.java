package io.slotwise.lab.simulation;

import io.slotwise.lab.simulation.SimulationObserver.Why;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.workload.Job;
import java.util.List;
import java.util.Optional;

/**
 * A policy with the machine that it rules. In every second in which something happens it is told all of it, in the
 * order of these methods, and then asked once what starts. It holds jobs that wait or run, and no others.
 */
public interface Scheduler {
    /** No second. */
    long NEVER = Long.MAX_VALUE;

    record Stopped(JobRun run, Why why) {}

    /** A run has ended that {@link #pass} began. */
    void ended(JobRun run);

    /** A failure, a return, a price change or an owner's job; the runs that it stops, whose jobs wait again. */
    List<JobRun> meets(Disturbance disturbance, long now);

    /** What the job takes of the machine while all of its tasks run, in the unit of {@link MachineLoad}. */
    long capacityOf(Job job);

    /** A job is submitted; false: the machine is too small for it, whatever runs, and it is forgotten. */
    boolean submitted(Job job, long now);

    /** What the policy stops in this second, so that others start or money is saved; these jobs wait again. */
    default List<Stopped> stops(long now) {
        return List.of();
    }

    /** What starts in this second, in the order of decision. */
    List<JobRun> pass(long now);

    /** The next second, after the last pass, in which there must be a pass in any case; {@link #NEVER}: none. */
    long wakesAt();

    /** What it has bought when nothing is left to happen; empty: nothing can be bought. */
    default Optional<NodeSpending> spending() {
        return Optional.empty();
    }

    MachineLoad load(long now);
}
