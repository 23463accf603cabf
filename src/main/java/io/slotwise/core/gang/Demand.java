package io.slotwise.core.gang;

import io.slotwise.core.time.Interval;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The request of a gang as a whole, in money, time and place, without the room of its pods. Annotations, advance
 * reservations, requests for a quote and the jobs of logs are all read into this type.
 *
 * @param criterion what to minimize
 * @param earliestStart the window starts no earlier, seconds, or {@link Long#MIN_VALUE} for no limit
 * @param deadline the window ends no later, seconds, or {@link Interval#FOREVER} for no limit
 * @param topology how near each other the pods run
 * @param maxPerNode the most pods on one node, or {@link Integer#MAX_VALUE} for no limit
 * @param lockstep every pod keeps its node, and is charged for it, until the slowest ends
 * @param after the gangs after whose end it starts
 * @param migratable whether the gang keeps its work when it is stopped, so that it may be evicted and placed again
 * @param queue the name of its queue, or null if no queue bounds it
 * @param preemptible whether the gang may be stopped for a gang of a queue that reclaims what it lends
 */
@RecordBuilder
public record Demand(
        Budget budget,
        Criterion criterion,
        ValueOfTime valueOfTime,
        Preferences preferences,
        long earliestStart,
        long deadline,
        Topology topology,
        int maxPerNode,
        boolean lockstep,
        Predecessors after,
        Provision provision,
        boolean migratable,
        @Nullable String queue,
        boolean preemptible)
        implements DemandBuilder.With {
    /** The earliest start at any price, on any nodes. */
    public static final Demand NONE = new Demand(
            Budget.UNLIMITED,
            Criterion.START,
            ValueOfTime.NONE,
            Preferences.NONE,
            Long.MIN_VALUE,
            Interval.FOREVER,
            Topology.ANYWHERE,
            Integer.MAX_VALUE,
            false,
            Predecessors.NONE,
            Provision.ALLOWED,
            false,
            null,
            false);

    public Demand {
        if (maxPerNode <= 0) {
            throw new IllegalArgumentException("The most pods per node (%d) must be positive.".formatted(maxPerNode));
        }
    }

    public Demand keepingWork(boolean keeps) {
        return withMigratable(keeps);
    }
}
