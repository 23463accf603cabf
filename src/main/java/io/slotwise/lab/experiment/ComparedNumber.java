package io.slotwise.lab.experiment;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A number of an experiment, with the paper's.
 *
 * @param value null if nothing was observed
 * @param ci95 half the width of its 95 % confidence interval; null if there is none
 * @param paper the paper's number; null if the paper gives none
 * @param second the number with the second reading; null if there is none
 */
public record ComparedNumber(
        Point point,
        @Nullable Double value,
        @Nullable Double ci95,
        @Nullable Double paper,
        @Nullable Second second) {
    public ComparedNumber(Point point, @Nullable Double value, @Nullable Double ci95, @Nullable Double paper) {
        this(point, value, ci95, paper, null);
    }

    /** A number with the second reading; {@code ci95} as in the first. */
    public record Second(double value, @Nullable Double ci95) {}

    /** The distance of the second reading's number to the paper's, compared with the first reading's. */
    public enum Verdict {
        NEARER,
        AS_NEAR,
        FARTHER;

        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    ComparedNumber beside(@Nullable Second other) {
        return new ComparedNumber(point, value, ci95, paper, other);
    }

    /**
     * Returns whether the second reading is nearer to the paper's number. Distances that differ by no more than half of
     * the wider interval are equal. Null unless all three numbers exist.
     */
    public @Nullable Verdict verdict() {
        if (value == null || paper == null || second == null) {
            return null;
        }
        double gain = Math.abs(value - paper) - Math.abs(second.value() - paper);
        double noise = Math.max(ci95 == null ? 0 : ci95, second.ci95() == null ? 0 : second.ci95());
        return Math.abs(gain) <= noise ? Verdict.AS_NEAR : gain > 0 ? Verdict.NEARER : Verdict.FARTHER;
    }
}
