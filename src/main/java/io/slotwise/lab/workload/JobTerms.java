package io.slotwise.lab.workload;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.gang.ValueOfTime;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The requirements of a job's owner other than processors and time.
 *
 * @param demand the demand for money, time and place, in seconds on the workload's clock
 * @param priority a larger number goes first under the queue order {@code priority}, and may displace smaller ones
 * @param queue the log's queue or quality of service; empty if none
 * @param application the log's program; empty if none
 * @param group the user's group in the log; empty if none
 */
@RecordBuilder
public record JobTerms(Demand demand, int priority, String queue, String application, String group)
        implements JobTermsBuilder.With {
    /** The earliest start at any price. */
    public static final JobTerms NONE = new JobTerms(Demand.NONE, 0, "", "", "");

    public Budget budget() {
        return demand.budget();
    }

    public Criterion criterion() {
        return demand.criterion();
    }

    public ValueOfTime valueOfTime() {
        return demand.valueOfTime();
    }

    /** Returns the latest end, seconds; {@link io.slotwise.core.time.Interval#FOREVER} if unlimited. */
    public long deadline() {
        return demand.deadline();
    }

    /** Returns whether a stopped job keeps its work, so that it may be moved. */
    public boolean migratable() {
        return demand.migratable();
    }

    public JobTerms paying(Budget other, Criterion leastCriterion) {
        return withDemand(demand.withBudget(other).withCriterion(leastCriterion));
    }

    public JobTerms valuing(ValueOfTime other) {
        return withDemand(demand.withValueOfTime(other));
    }

    /** Returns the same with another deadline, seconds on the workload's clock. */
    public JobTerms endingBy(long other) {
        return withDemand(demand.withDeadline(other));
    }

    /** Returns the same in this queue of the cluster. */
    public JobTerms in(String clusterQueue) {
        return withDemand(demand.withQueue(clusterQueue));
    }

    public JobTerms after(Predecessors predecessors) {
        return withDemand(demand.withAfter(predecessors));
    }

    public JobTerms ranking(int other, boolean movable) {
        return new JobTerms(demand.keepingWork(movable), other, queue, application, group);
    }
}
