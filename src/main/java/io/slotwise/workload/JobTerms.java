package io.slotwise.workload;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.time.Interval;
import org.jspecify.annotations.Nullable;

/**
 * What a job's owner asks for beside processors and time.
 *
 * @param budget what the whole job may cost
 * @param criterion what is to be least
 * @param earliestStart it starts no earlier, seconds on the workload's clock; {@link Long#MIN_VALUE}: no limit
 * @param deadline it ends no later, seconds on the workload's clock; {@link Interval#FOREVER}: no limit
 * @param topology a node label's key: all tasks on nodes with one value of it; null: no such limit
 * @param maxPerNode the most tasks on one node; {@link Integer#MAX_VALUE}: no limit
 * @param lockstep every task keeps its node, and is charged for it, until the slowest ends
 * @param priority a larger number goes first under the queue order {@code priority}, and may displace smaller ones
 * @param migratable whether it keeps its work when it is stopped, so that it may be moved
 * @param queue what the log calls its queue, or its quality of service; empty: nothing
 * @param application what the log calls its program; empty: nothing
 */
public record JobTerms(
        Budget budget,
        Criterion criterion,
        long earliestStart,
        long deadline,
        @Nullable String topology,
        int maxPerNode,
        boolean lockstep,
        int priority,
        boolean migratable,
        String queue,
        String application) {
    /** The earliest start at any price. */
    public static final JobTerms NONE = new JobTerms(
            Budget.UNLIMITED,
            Criterion.START,
            Long.MIN_VALUE,
            Interval.FOREVER,
            null,
            Integer.MAX_VALUE,
            false,
            0,
            false,
            "",
            "");

    /** The same with another budget and criterion. */
    public JobTerms paying(Budget other, Criterion least) {
        return new JobTerms(
                other,
                least,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                priority,
                migratable,
                queue,
                application);
    }

    /** The same with another priority, and whether it may be moved. */
    public JobTerms ranking(int other, boolean movable) {
        return new JobTerms(
                budget,
                criterion,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                other,
                movable,
                queue,
                application);
    }

    /** The same in another queue of the log. */
    public JobTerms in(String other) {
        return new JobTerms(
                budget,
                criterion,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                priority,
                migratable,
                other,
                application);
    }

    /** The same running another program. */
    public JobTerms running(String other) {
        return new JobTerms(
                budget,
                criterion,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                priority,
                migratable,
                queue,
                other);
    }
}
