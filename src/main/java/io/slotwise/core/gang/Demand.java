package io.slotwise.core.gang;

import io.slotwise.core.time.Interval;
import java.util.function.Consumer;
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
        boolean migratable) {
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

    /** The same with another budget. */
    public Demand paying(Budget other) {
        return with(copy -> copy.budget = other);
    }

    /** The same with another criterion. */
    public Demand wanting(Criterion other) {
        return with(copy -> copy.criterion = other);
    }

    /** The same with another value of time. */
    public Demand valuing(ValueOfTime other) {
        return with(copy -> copy.valueOfTime = other);
    }

    /** The same with other preferences. */
    public Demand preferring(Preferences other) {
        return with(copy -> copy.preferences = other);
    }

    /** The same with another earliest start, seconds; {@link Long#MIN_VALUE}: none. */
    public Demand startingFrom(long second) {
        return with(copy -> copy.earliestStart = second);
    }

    /** The same with another deadline, seconds; {@link Interval#FOREVER}: none. */
    public Demand endingBy(long second) {
        return with(copy -> copy.deadline = second);
    }

    /** The same on nodes with one value of another label; null: of any values. */
    public Demand within(@Nullable String label) {
        return with(copy -> copy.topology = label);
    }

    /** The same with another limit of pods per node. */
    public Demand spread(int mostPerNode) {
        return with(copy -> copy.maxPerNode = mostPerNode);
    }

    /** The same whose pods all stay until the slowest ends, or each end by their own node's speed. */
    public Demand inLockstep(boolean together) {
        return with(copy -> copy.lockstep = together);
    }

    /** The same after other gangs. */
    public Demand after(Predecessors others) {
        return with(copy -> copy.after = others);
    }

    /** The same with another word on nodes that are bought for it. */
    public Demand provisioned(Provision other) {
        return with(copy -> copy.provision = other);
    }

    /** The same that keeps its work when it is stopped, or does not. */
    public Demand keepingWork(boolean keeps) {
        return with(copy -> copy.migratable = keeps);
    }

    private Demand with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return new Demand(
                copy.budget,
                copy.criterion,
                copy.valueOfTime,
                copy.preferences,
                copy.earliestStart,
                copy.deadline,
                copy.topology,
                copy.maxPerNode,
                copy.lockstep,
                copy.after,
                copy.provision,
                copy.migratable);
    }

    /** One that can still be changed. */
    private static final class Copy {
        private Budget budget;
        private Criterion criterion;
        private ValueOfTime valueOfTime;
        private Preferences preferences;
        private long earliestStart;
        private long deadline;
        private @Nullable String topology;
        private int maxPerNode;
        private boolean lockstep;
        private Predecessors after;
        private Provision provision;
        private boolean migratable;

        Copy(Demand demand) {
            this.budget = demand.budget;
            this.criterion = demand.criterion;
            this.valueOfTime = demand.valueOfTime;
            this.preferences = demand.preferences;
            this.earliestStart = demand.earliestStart;
            this.deadline = demand.deadline;
            this.topology = demand.topology;
            this.maxPerNode = demand.maxPerNode;
            this.lockstep = demand.lockstep;
            this.after = demand.after;
            this.provision = demand.provision;
            this.migratable = demand.migratable;
        }
    }
}
