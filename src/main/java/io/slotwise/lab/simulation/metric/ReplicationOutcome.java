package io.slotwise.lab.simulation.metric;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one replication under one policy. Times in seconds, slowdowns in millionths, money in currency units.
 *
 * @param run the number of the replication, from 0
 * @param complete whether the replication ran until no event was left
 * @param stops runs that were stopped before their end
 * @param waited the time from submission to the last start, except the seconds in which earlier runs did work that was
 *     kept
 * @param levels the waits by priority, the lowest first
 * @param response the time from submission to end
 * @param slowdown the response divided by the runtime
 * @param boundedSlowdown {@code max(1, response / max(10 s, runtime))}
 * @param makespan the time from the first submission to the last end
 * @param processorTime the sum over all tasks of the seconds of work that was kept
 * @param utilisation {@code processorTime} divided by the capacity over the makespan
 * @param lossOfCapacity the part of the capacity over the makespan that was idle while a job waited that would fit into
 *     it
 * @param utility the mean loss of user utility in percent, of jobs whose window was chosen among alternatives; {@link
 *     Spread#UNKNOWN} if there are none
 * @param satisfaction the mean user satisfaction, see {@link ReplicationMetrics}, less is better; {@link
 *     Spread#UNKNOWN} if the policy does not weigh time against cost
 * @param deadlines kept and missed; null if no job has one
 * @param bought the bought nodes; null if none can be bought
 * @param queues the fairness to queues; null if there are none
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
        @Nullable Bought bought,
        @Nullable QueuesFairness queues) {
    public ReplicationOutcome {
        levels = List.copyOf(levels);
    }

    /** The number of jobs by outcome: too large for the machine, ended, or left at the end. */
    public record Jobs(long refused, long ended, long left) {}

    /**
     * Runs that were stopped before their end, whatever became of their jobs.
     *
     * @param interruptions the interruptions by a disturbance
     * @param displacements the displacements for a job of higher priority
     * @param moves to start another job, or to save money
     * @param processorTime the sum over all tasks of the seconds of lost work and of the overhead of restarts
     * @param cost the cost of these seconds, currency units
     */
    public record Stops(long interruptions, long displacements, long moves, long processorTime, BigDecimal cost) {}

    /** The waits of jobs of one priority. */
    public record Level(int priority, Spread waited) {}

    /**
     * The money of a replication.
     *
     * @param paid by all jobs
     * @param income the income of each owner, by name
     * @param budgetUse the payments of jobs with a budget relative to these budgets; {@link Spread#UNKNOWN} if no job
     *     has one
     * @param overBudget jobs that paid more than their budget, because they exceeded their estimate
     * @param delay the value of all jobs' time from submission to end; null if time has no value
     * @param bound the lower bound of payments plus delay under any scheduler; null if not requested
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
     * @param kept the jobs that started as promised, see {@link io.slotwise.core.plan.FirstPromise}
     * @param mostPassed for the job that was passed most often, how many jobs that were submitted later and have no
     *     higher priority got a promise before it
     * @param broken the number of broken promises, by cause
     * @param known seconds from the first promise to the start
     * @param slack seconds from the first expected start to the promised latest one
     * @param spared seconds from the start to the promised latest one, 0 for a later start
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

    /** The number of jobs with a deadline, and of those that ended later or never. */
    public record Deadlines(long given, long missed) {}

    /** The bought nodes, and all bills for them in currency units, including those for idle times and other users. */
    public record Bought(long nodes, BigDecimal bills) {}

    /**
     * The fairness to queues, see {@link QueueFairness}.
     *
     * @param jain the index of the received parts of their entitlements; {@link Spread#UNKNOWN} if no queue is entitled
     *     to anything
     * @param worst the least of these parts
     */
    public record QueuesFairness(List<QueueFigures> queues, double jain, double worst) {
        public QueuesFairness {
            queues = List.copyOf(queues);
        }
    }

    /**
     * The use of a queue over time.
     *
     * @param used as a part of the cluster
     * @param entitled the entitlement as a part of the cluster
     * @param received the received part of the entitlement; {@link Spread#UNKNOWN} without an entitlement
     */
    public record QueueFigures(String queue, double used, double entitled, double received) {}

    /**
     * The equality of users by their mean bounded slowdowns: Jain's index, the lower median, and the largest divided by
     * the least.
     */
    public record Fairness(int users, double jain, double median, double worst) {}
}
