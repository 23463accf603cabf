package io.slotwise.lab.simulation;

import io.slotwise.lab.simulation.SimulationObserver.Why;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.workload.Job;
import java.util.List;
import java.util.Optional;

/**
 * A policy with its machine. In every second with events the methods are called in the order below, and {@link #pass}
 * once at the end. A scheduler only holds jobs that wait or run.
 */
public interface Scheduler {
    long NEVER = Long.MAX_VALUE;

    record Stopped(JobRun run, Why why) {}

    void ended(JobRun run);

    /** Applies a disturbance. Returns the stopped runs, whose jobs wait again. */
    List<JobRun> meets(Disturbance disturbance, long now);

    /** Returns the capacity that a job uses while all tasks run, in the unit of {@link MachineLoad}. */
    long capacityOf(Job job);

    /** Adds a submitted job. Returns false, and forgets the job, if even the idle machine is too small for it. */
    boolean submitted(Job job, long now);

    /** Returns the runs that the policy stops, to start others or to save money. Their jobs wait again. */
    default List<Stopped> stops(long now) {
        return List.of();
    }

    /** Returns the runs that start in this second, in the order of decision. */
    List<JobRun> pass(long now);

    /** Returns the next second in which a pass is needed in any case, after the last one. {@link #NEVER} if none. */
    long wakesAt();

    /** Returns the purchases at the end. Empty if nothing can be bought. */
    default Optional<NodeSpending> spending() {
        return Optional.empty();
    }

    MachineLoad load(long now);
}
