package io.slotwise.core.gang;

import io.slotwise.core.text.Keyed;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figure that a gang minimizes.
 *
 * <p>A criterion has a figure of each pod's place, and a kind by which the window's value follows from the figures.
 * Searches and the comparison of windows only use these two. So a criterion that sums a known figure needs no code of
 * its own there: only {@code Window.value}, {@code FieldSearch.algorithm} and {@code WindowFigures.value} name each
 * criterion, and {@code QuoteRow.value} for windows that other clusters offer.
 */
public enum Criterion implements Keyed {
    START(Figure.NOTHING, Kind.TIME),
    FINISH(Figure.DURATION, Kind.TIME),
    RUNTIME(Figure.DURATION, Kind.LARGEST),
    COST(Figure.COST, Kind.SUM),
    PROCESSOR_TIME(Figure.DURATION, Kind.SUM),
    ENERGY(Figure.ENERGY, Kind.SUM),
    /** The cost plus the value of the gang's time from arrival to end. */
    VALUE(Figure.COST, Kind.WORTH),
    /** The distance from the gang's preferences, see {@link Preferences}. */
    PREFERENCE(Figure.COST, Kind.DISTANCE);

    /** The figure of a pod on a node. Offers of nodes can be sorted by each figure. */
    public enum Figure {
        /** Nothing: all nodes are the same. */
        NOTHING,
        /** The runtime of the pod there, seconds. */
        DURATION,
        /** The least cost there, 1/3600 millionths. */
        COST,
        /** The energy drawn there, milliwatt-seconds. Only known of nodes that state their power. */
        ENERGY
    }

    /** The rule by which a window's value follows from the figures of its pods. */
    public enum Kind {
        /** An instant: the start plus, if a figure counts, the largest figure of the pods. */
        TIME,
        /** The largest figure of the pods. */
        LARGEST,
        /** The sum of the pods' figures. */
        SUM,
        /** The sum of the pods' figures plus the value of the gang's time. */
        WORTH,
        /** The distance of start, end and the sum of the pods' figures from the gang's preferences. */
        DISTANCE
    }

    private final Figure figure;
    private final Kind kind;

    Criterion(Figure figure, Kind kind) {
        this.figure = figure;
        this.kind = kind;
    }

    public Figure figure() {
        return figure;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns whether the value is an instant of the window: the start or the end. */
    public boolean isOfTime() {
        return kind == Kind.TIME;
    }

    /** Returns whether only nodes of known power count. */
    public boolean needsPower() {
        return figure == Figure.ENERGY;
    }

    /** Returns whether only the window's shape counts, and neither its start nor its cost. */
    public boolean isOfShape() {
        return (kind == Kind.LARGEST || kind == Kind.SUM) && figure != Figure.COST;
    }

    /** Returns the criterion with this key, if any. */
    public static Optional<Criterion> of(@Nullable String key) {
        for (Criterion criterion : values()) {
            if (criterion.key().equals(key)) {
                return Optional.of(criterion);
            }
        }
        return Optional.empty();
    }

    public static List<String> keys() {
        return Arrays.stream(values()).map(Criterion::key).toList();
    }
}
