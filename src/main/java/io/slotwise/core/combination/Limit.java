package io.slotwise.core.combination;

import java.util.OptionalLong;

/**
 * A limit on the batch.
 *
 * @param measure what is limited
 * @param figure the most, in the measure's unit; empty: {@code auto}, the average level of the alternatives
 */
public record Limit(Measure measure, OptionalLong figure) {
    /** No limit. */
    public static final Limit NONE = new Limit(Measure.NOTHING, OptionalLong.empty());

    /** What a limit counts. */
    public enum Measure {
        NOTHING,
        /** The batch's cost, 1/3600 millionths of the currency unit. */
        COST,
        /** The batch's processor time, seconds. */
        PROCESSOR_TIME,
        /**
         * The average loss of utility of a gang, millionths: 0 is every gang's best alternative, 1,000,000 every gang's
         * worst.
         */
        AVERAGE_UTILITY
    }
}
