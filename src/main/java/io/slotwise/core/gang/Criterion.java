package io.slotwise.core.gang;

import io.slotwise.core.text.Keyed;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a gang wants to be least.
 *
 * <p>A criterion is made of a figure of each pod's place and of how the window's value follows from the figures. The
 * searches and the comparison of windows go by these two, so that a criterion that adds up a known figure needs nothing
 * of its own in them: only {@code Window.value}, {@code FieldSearch.algorithm} and {@code WindowFigures.value} name
 * each criterion.
 */
public enum Criterion implements Keyed {
    START(Figure.NOTHING, Kind.TIME),
    FINISH(Figure.DURATION, Kind.TIME),
    RUNTIME(Figure.DURATION, Kind.LARGEST),
    COST(Figure.COST, Kind.SUM),
    PROCESSOR_TIME(Figure.DURATION, Kind.SUM),
    ENERGY(Figure.ENERGY, Kind.SUM),
    /** The cost and what the time from the arrival to the end is worth to the gang. */
    VALUE(Figure.COST, Kind.WORTH),
    /** The distance from what the gang prefers: see {@link Preferences}. */
    PREFERENCE(Figure.COST, Kind.DISTANCE);

    /** What counts of a pod on a node. Offers of nodes can be put into the order of each. */
    public enum Figure {
        /** Nothing: all nodes are the same. */
        NOTHING,
        /** How long the pod runs there, seconds. */
        DURATION,
        /** What it costs there at least, 1/3600 millionths. */
        COST,
        /** What it draws there, milliwatt-seconds; only known of nodes that state their power. */
        ENERGY
    }

    /** How the value of a window follows from the figures of its pods. */
    public enum Kind {
        /** It is an instant: the start and, if a figure counts, the largest one of the pods after it. */
        TIME,
        /** It is the largest figure of the pods. */
        LARGEST,
        /** It is the sum of the pods' figures. */
        SUM,
        /** It is the sum of the pods' figures and what the gang's time is worth to it. */
        WORTH,
        /** It is how far the start, the end and the sum of the pods' figures are from what the gang prefers. */
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

    /** Whether it is an instant of the window: the start or the end. */
    public boolean isOfTime() {
        return kind == Kind.TIME;
    }

    /** Whether only nodes count whose power is known. */
    public boolean needsPower() {
        return figure == Figure.ENERGY;
    }

    /** Whether the window's shape decides alone, and neither its start nor its cost. */
    public boolean isOfShape() {
        return (kind == Kind.LARGEST || kind == Kind.SUM) && figure != Figure.COST;
    }

    /** The criterion that users write so; empty: none. */
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
