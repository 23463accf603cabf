package io.slotwise.lab.simulation.metric;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one replication under one policy comes to. Times in seconds, slowdowns in millionths, money in currency units.
 *
 * @param run the number of the replication, from 0
 * @param complete whether it ran until nothing was left to happen
 * @param stops runs that were stopped before their end
 * @param waited from the submission to the start, seconds in which a job did work that it has kept not counted
 * @param levels the same by priority, the lowest first
 * @param response from the submission to the end
 * @param slowdown response by runtime
 * @param boundedSlowdown {@code max(1, response / max(10 s, runtime))}
 * @param makespan from the first submission to the last end
 * @param processorTime the sum of all tasks' seconds in which work was done that was kept
 * @param utilisation that work by capacity, over the makespan
 * @param lossOfCapacity idle capacity while a job waits that would fit into it, by capacity, over the makespan
 * @param utility the mean loss of user utility in percent, of jobs whose window was chosen among alternatives; {@link
 *     Spread#UNKNOWN}: there are none
 * @param satisfaction the mean user satisfaction, see {@link ReplicationMetrics}; less is better; {@link
 *     Spread#UNKNOWN}: the policy weighs no time against cost
 * @param deadlines kept and missed; null: no job has one
 * @param bought nodes; null: none can be
 */
public record ReplicationOutcome(
        int run,
        long seed,
        boolean complete,
        Jobs jobs,
        Stops stops,
        Spread waited,
        List<Level> levels,
        Spread response,
        Spread slowdown,
        Spread boundedSlowdown,
        long makespan,
        long processorTime,
        double utilisation,
        double lossOfCapacity,
        Accounts money,
        double utility,
        double satisfaction,
        Promises promises,
        Fairness fairness,
        @Nullable Deadlines deadlines,
        @Nullable Bought bought) {
    public ReplicationOutcome {
        levels = List.copyOf(levels);
    }

    /** What became of the jobs: the machine was too small, they ended, or they were left when it ended. */
    public record Jobs(long refused, long ended, long left) {}

    /**
     * Runs that were stopped before their end, whatever became of their jobs.
     *
     * @param interruptions by a disturbance
     * @param displacements for a job of higher priority
     * @param moves to start another job, or to save money
     * @param processorTime the sum of all tasks' seconds in which no work was done that was kept: work that was lost,
     *     and the overhead of restarts
     * @param cost of these seconds, currency units
     */
    public record Stops(long interruptions, long displacements, long moves, long processorTime, BigDecimal cost) {}

    /** How long jobs of one priority waited. */
    public record Level(int priority, Spread waited) {}

    /**
     * Money.
     *
     * @param paid by all jobs
     * @param income of each owner, by name
     * @param budgetUse what jobs with a budget paid, by the sum of their budgets; {@link Spread#UNKNOWN}: no job has a
     *     budget
     * @param overBudget jobs that paid more than their budget, having run longer than their estimate
     * @param delay what the time from each job's submission to its end was worth to its owner, for all jobs together;
     *     null: no time is worth anything
     * @param bound what that and what is paid come to at least, whoever schedules; null: it was not asked for
     */
    public record Accounts(
            BigDecimal paid,
            SortedMap<String, BigDecimal> income,
            double budgetUse,
            long overBudget,
            @Nullable BigDecimal delay,
            @Nullable BigDecimal bound) {
        public Accounts {
            income = Collections.unmodifiableSortedMap(new TreeMap<>(income));
        }
    }

    /**
     * Promises to the jobs that ended.
     *
     * @param kept of these, those that started by what was promised, as {@link io.slotwise.core.plan.FirstPromise} has
     *     it
     * @param mostPassed the most jobs that were submitted later, have no higher priority, and were promised a window
     *     before one of them
     * @param broken how often promises were broken, by cause
     * @param known seconds from the first promise to the start: how early its job knew
     * @param slack seconds from the start that was first expected to the latest that was promised with it
     * @param spared seconds from the start to the latest that was promised, 0 where it started later
     */
    public record Promises(
            long made,
            long kept,
            int mostPassed,
            SortedMap<String, Long> broken,
            Spread known,
            Spread slack,
            Spread spared) {
        public Promises {
            broken = Collections.unmodifiableSortedMap(new TreeMap<>(broken));
        }
    }

    /** Jobs that had to end by an instant, and those of them that ended later, or never. */
    public record Deadlines(long given, long missed) {}

    /** Nodes that were bought; {@code bills}: of all of them, currency units, whoever ran on them. */
    public record Bought(long nodes, BigDecimal bills) {}

    /** How alike users fare, by the mean bounded slowdown of each: Jain's index, the lower median, largest by least. */
    public record Fairness(int users, double jain, double median, double worst) {}
}
