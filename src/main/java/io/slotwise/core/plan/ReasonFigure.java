package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Money;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** A figure of a reason, with its unit. */
public sealed interface ReasonFigure {
    record Count(long value) implements ReasonFigure {}

    /** Numbers of things by name, in the order in which they are reported. */
    record Counts(Map<String, Integer> values) implements ReasonFigure {
        public Counts {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }
    }

    record Amount(Money value) implements ReasonFigure {}

    /** A length of time, seconds. */
    record Seconds(long value) implements ReasonFigure {}

    /**
     * An instant.
     *
     * @param moves whether the figure moves with the clock, like the first second that can be planned
     */
    record Moment(long second, boolean moves) implements ReasonFigure {}

    record Fact() implements ReasonFigure {}

    /** A name, a label, or an amount in words. */
    record Text(String value) implements ReasonFigure {}

    /** A gang, or null if the reader may not see it. */
    record Named(@Nullable GangId gang) implements ReasonFigure {}

    /** Returns whether two sets of figures are equal except for instants less than {@code seconds} apart. */
    static boolean areNear(
            SequencedMap<String, ReasonFigure> some, SequencedMap<String, ReasonFigure> others, long seconds) {
        return some.keySet().equals(others.keySet())
                && some.entrySet().stream()
                        .allMatch(entry -> isNear(entry.getValue(), others.get(entry.getKey()), seconds));
    }

    private static boolean isNear(ReasonFigure figure, @Nullable ReasonFigure other, long seconds) {
        return figure.equals(other)
                || (figure instanceof Moment(long second, boolean moves)
                        && other instanceof Moment(long then, boolean movesToo)
                        && moves == movesToo
                        && (moves || areClose(second, then, seconds)));
    }

    private static boolean areClose(long one, long other, long seconds) {
        long apart = Math.max(one, other) - Math.min(one, other);
        return apart >= 0 && apart < seconds;
    }
}
