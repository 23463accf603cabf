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
 * A job on the machine, from its start to its end; the scheduler that starts it knows when it will end, and decides as
 * if it did not.
 *
 * @param start the first second
 * @param end the first second after its last task
 * @param capacity what it takes, in the unit of {@link MachineLoad}
 * @param processorTime the sum of its tasks' seconds
 * @param work capacity times seconds, summed over its tasks
 * @param income what it pays to each owner, by name
 * @param deal what it was promised; null: nothing, it just started
 * @param before what the job had done before in runs that the policy stopped
 * @param loss what of this run gets nothing done
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
    /** Runs of a job that the policy stopped; {@code paidCost}: for all of them. */
    public record Before(long seconds, Cost paidCost) {
        public static final Before NOTHING = new Before(0, Cost.ZERO);
    }

    /**
     * The last seconds of a run's tasks that are beyond what its work takes: the overhead of a restart, and work that
     * is lost.
     *
     * @param processorTime the sum of these seconds
     * @param work capacity times these seconds, summed over the tasks
     * @param cost of these seconds
     */
    public record Loss(long processorTime, long work, Cost cost) {
        public static final Loss NOTHING = new Loss(0, 0, Cost.ZERO);
    }

    /**
     * What a planner promised.
     *
     * @param told the second in which it was promised first
     * @param passed how many jobs that were submitted later and have no higher priority were promised a window before
     *     it
     * @param broken why promises to this job were broken, one after the other
     * @param loss of user utility in millionths, 0 the best of the alternatives and 1,000,000 the worst, where the
     *     window was chosen among alternatives
     */
    public record Deal(long told, FirstPromise first, int passed, List<Cause> broken, OptionalLong loss) {
        public Deal {
            broken = List.copyOf(broken);
        }
    }

    public JobRun {
        income = Collections.unmodifiableSortedMap(new TreeMap<>(income));
    }

    /** The same of a policy that promises nothing. */
    public JobRun unpromised() {
        return new JobRun(job, start, end, capacity, processorTime, work, income, null, before, loss);
    }

    public Cost cost() {
        return income.values().stream().reduce(Cost.ZERO, Cost::plus);
    }

    /** Seconds from the submission to the start in which it did no work that it has kept. */
    public long waited() {
        return start - job.submit() - before.seconds;
    }

    /** Seconds in which its work was done, earlier ones included, if it runs to its end. */
    public long runtime() {
        return before.seconds + seconds();
    }

    public long seconds() {
        return end - start;
    }
}
