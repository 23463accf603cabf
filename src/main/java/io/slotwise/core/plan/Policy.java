package io.slotwise.core.plan;

import java.util.OptionalLong;

/**
 * The admin's policy, as far as the planner needs it. All durations in seconds.
 *
 * @param horizon how far ahead windows are planned, positive
 * @param objective what the choice of one alternative per gang serves
 * @param limit on the batch
 * @param alternatives the most alternatives per gang, positive
 * @param shift whether chosen windows move to the earliest start on their nodes
 * @param backfill whether gangs that the cyclic part left over are backfilled
 * @param queue the order of the batch
 * @param charge what a pod pays of a node
 * @param turnover kept free between a pod's planned end and the next planned start on that room
 * @param replan what a later cycle may do with a promise
 */
public record Policy(
        long horizon,
        Objective objective,
        Limit limit,
        int alternatives,
        boolean shift,
        Backfill backfill,
        Queue queue,
        Charge charge,
        long turnover,
        Replan replan) {
    /** The defaults of the policy file. */
    public static final Policy DEFAULT = new Policy(
            168 * 3600L,
            Objective.USER,
            Limit.NONE,
            50,
            true,
            Backfill.CONSERVATIVE,
            Queue.FIFO,
            Charge.DOMINANT_SHARE,
            0,
            Replan.IMPROVE);

    /** What is extremal over the batch. */
    public enum Objective {
        /** Every gang by its own criterion: the least total loss of utility. */
        USER,
        MAX_INCOME,
        MIN_COST
    }

    /** What the limit counts. */
    public enum Measure {
        NOTHING,
        COST,
        PROCESSOR_TIME
    }

    /**
     * A limit on the batch.
     *
     * @param measure what is limited
     * @param figure the most: 1/3600 millionths for {@code COST}, seconds for {@code PROCESSOR_TIME}; empty: {@code auto}, the
     *     average level of the alternatives
     */
    public record Limit(Measure measure, OptionalLong figure) {
        /** No limit. */
        public static final Limit NONE = new Limit(Measure.NOTHING, OptionalLong.empty());
    }

    /** How gangs that the cyclic part left over are placed. */
    public enum Backfill {
        CONSERVATIVE,
        NONE
    }

    /** The order in which gangs of a batch are served. */
    public enum Queue {
        FIFO,
        PRIORITY
    }

    /** What a pod pays of a node. */
    public enum Charge {
        DOMINANT_SHARE,
        WHOLE_NODE
    }

    /** What a later cycle may do with a promise. */
    public enum Replan {
        IMPROVE,
        NEVER,
        FREE
    }

    public Policy {
        if (horizon <= 0) {
            throw new IllegalArgumentException("The horizon (%d s) must be positive.".formatted(horizon));
        }
        if (alternatives <= 0) {
            throw new IllegalArgumentException(
                    "The number of alternatives (%d) must be positive.".formatted(alternatives));
        }
        if (turnover < 0) {
            throw new IllegalArgumentException("The turnover (%d s) must not be negative.".formatted(turnover));
        }
    }

    /** This policy with another turnover, for hosts that need room between pods. */
    public Policy withTurnover(long seconds) {
        return new Policy(horizon, objective, limit, alternatives, shift, backfill, queue, charge, seconds, replan);
    }
}
