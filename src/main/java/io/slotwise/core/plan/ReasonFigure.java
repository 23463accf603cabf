package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Money;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One figure of a reason, with its unit. */
public sealed interface ReasonFigure {
    /** A number of something. */
    record Count(long value) implements ReasonFigure {}

    /** Numbers of things, by what they are, in the order in which they are told. */
    record Counts(Map<String, Integer> values) implements ReasonFigure {
        public Counts {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }
    }

    /** An amount of money. */
    record Amount(Money value) implements ReasonFigure {}

    /** A length of time, seconds. */
    record Seconds(long value) implements ReasonFigure {}

    /**
     * An instant.
     *
     * @param second since the epoch
     * @param moves whether it goes with the clock: it is as far away as the first second that can be planned
     */
    record Moment(long second, boolean moves) implements ReasonFigure {
        Moment(long second) {
            this(second, false);
        }
    }

    /** Something that is true. */
    record Fact() implements ReasonFigure {}

    /** A name, a label, or an amount in words. */
    record Text(String value) implements ReasonFigure {}

    /** A gang; null: the reader may not know which. */
    record Named(@Nullable GangId gang) implements ReasonFigure {}
}
