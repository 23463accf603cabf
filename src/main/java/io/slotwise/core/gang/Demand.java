package io.slotwise.core.gang;

import io.slotwise.core.time.Interval;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What a gang asks for as a whole, in money, time and place, apart from the room of its pods. Annotations, advance
 * reservations, questions for a quote and the jobs of logs are all read into one of these, and whatever is added to it
 * travels with it.
 *
 * @param budget what it may pay
 * @param criterion what it wants to be least
 * @param valueOfTime what it is worth that the end comes earlier
 * @param preferences what its window would better be like
 * @param earliestStart the window starts no earlier, seconds; {@link Long#MIN_VALUE}: no limit
 * @param deadline the window ends no later, seconds; {@link Interval#FOREVER}: no limit
 * @param topology a node label's key: all pods on nodes with one value of it; null: no such limit
 * @param maxPerNode the most pods on one node; {@link Integer#MAX_VALUE}: no limit
 * @param lockstep every pod keeps its node, and is charged for it, until the slowest ends
 * @param after the gangs after whose end it starts
 * @param provision whether nodes are bought for it
 * @param migratable whether it keeps its work when it is stopped, so that it may be evicted and placed again
 */
@RecordBuilder
public record Demand(
        Budget budget,
        Criterion criterion,
        ValueOfTime valueOfTime,
        Preferences preferences,
        long earliestStart,
        long deadline,
        @Nullable String topology,
        int maxPerNode,
        boolean lockstep,
        Predecessors after,
        Provision provision,
        boolean migratable)
        implements DemandBuilder.With {
    /** The earliest start at any price, on any nodes. */
    public static final Demand NONE = new Demand(
            Budget.UNLIMITED,
            Criterion.START,
            ValueOfTime.NONE,
            Preferences.NONE,
            Long.MIN_VALUE,
            Interval.FOREVER,
            null,
            Integer.MAX_VALUE,
            false,
            Predecessors.NONE,
            Provision.ALLOWED,
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
