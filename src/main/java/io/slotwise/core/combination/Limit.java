package io.slotwise.core.combination;

import java.util.OptionalLong;

/**
 * A limit on the batch.
 *
 * @param figure the most, in the measure's unit; empty for {@code auto}, the average level of the alternatives
 */
public record Limit(Measure measure, OptionalLong figure) {
    public static final Limit NONE = new Limit(Measure.NOTHING, OptionalLong.empty());

    public enum Measure {
        NOTHING,
        /** The batch's cost, 1/3600 millionths of the currency unit. */
        COST,
        /** The batch's processor time, seconds. */
        PROCESSOR_TIME,
        /** A gang's average loss of utility, millionths: 0 is each gang's best alternative, 1,000,000 the worst. */
        AVERAGE_UTILITY
    }
}
