package io.slotwise.core.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** The figures of one reason, in order. */
final class ReasonFigures {
    private final SequencedMap<String, ReasonFigure> all = new LinkedHashMap<>();

    /** With another one; null: there is none of that name. */
    ReasonFigures and(String name, @Nullable ReasonFigure figure) {
        if (figure != null) {
            all.put(name, figure);
        }
        return this;
    }

    SequencedMap<String, ReasonFigure> all() {
        return Collections.unmodifiableSequencedMap(all);
    }

    /**
     * Whether figures of one key are the same but for instants that are less than so many seconds apart.
     */
    static boolean areNear(
            SequencedMap<String, ReasonFigure> some, SequencedMap<String, ReasonFigure> others, long seconds) {
        return some.keySet().equals(others.keySet())
                && some.entrySet().stream()
                        .allMatch(figure -> isNear(figure.getValue(), others.get(figure.getKey()), seconds));
    }

    private static boolean isNear(ReasonFigure one, @Nullable ReasonFigure other, long seconds) {
        return one.equals(other)
                || (one instanceof ReasonFigure.Moment(long second, boolean moves)
                        && other instanceof ReasonFigure.Moment(long then, boolean movesToo)
                        && moves == movesToo
                        && (moves || areClose(second, then, seconds)));
    }

    private static boolean areClose(long one, long other, long seconds) {
        long apart = Math.max(one, other) - Math.min(one, other);
        return apart >= 0 && apart < seconds;
    }
}
