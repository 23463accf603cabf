package io.slotwise.lab.simulation;

import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.lab.workload.Job;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A run of a job from its start to its end. The scheduler that starts the run is told the end, but decides as if it
 * were unknown.
 *
 * @param end the first second after its last task
 * @param capacity the capacity in use, in the unit of {@link MachineLoad}
 * @param processorTime the sum of its tasks' seconds
 * @param work capacity times seconds, summed over its tasks
 * @param income the income of each owner, by name
 * @param deal the promise; null if there was none
 * @param before the job's earlier runs that the policy stopped
 * @param loss the useless part of this run
 */
public record JobRun(
        Job job,
        long start,
        long end,
        long capacity,
        long processorTime,
        long work,
        SortedMap<String, Cost> income,
        @Nullable Deal deal,
        Before before,
        Loss loss) {
    /** Earlier runs that the policy stopped, with the payment for all of them. */
    public record Before(long seconds, Cost paidCost) {
        public static final Before NOTHING = new Before(0, Cost.ZERO);
    }

    /**
     * The last seconds of a run's tasks beyond what its work takes: the overhead of a restart, and lost work.
     *
     * @param processorTime the sum of these seconds
     * @param work capacity times these seconds, summed over the tasks
     */
    public record Loss(long processorTime, long work, Cost cost) {
        public static final Loss NOTHING = new Loss(0, 0, Cost.ZERO);
    }

    /**
     * The promises of a planner.
     *
     * @param told the second of the first promise
     * @param passed how many jobs that were submitted later and have no higher priority were promised a window before
     *     it
     * @param broken the causes of broken promises, in order
     * @param loss the loss of user utility in millionths, from 0 for the best of the alternatives to 1,000,000 for the
     *     worst; empty if the window was not chosen among alternatives
     */
    public record Deal(long told, FirstPromise first, int passed, List<Cause> broken, OptionalLong loss) {
        public Deal {
            broken = List.copyOf(broken);
        }
    }

    public JobRun {
        income = Collections.unmodifiableSortedMap(new TreeMap<>(income));
    }

    /** Returns the run under a policy without promises. */
    public JobRun unpromised() {
        return new JobRun(job, start, end, capacity, processorTime, work, income, null, before, loss);
    }

    public Cost cost() {
        return income.values().stream().reduce(Cost.ZERO, Cost::plus);
    }

    /** Returns the seconds from submission to start, without those of work that was kept. */
    public long waited() {
        return start - job.submit() - before.seconds;
    }

    /** Returns the seconds of useful work, including earlier runs, if the run is completed. */
    public long runtime() {
        return before.seconds + seconds();
    }

    public long seconds() {
        return end - start;
    }
}
