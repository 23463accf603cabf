package io.slotwise.lab.experiment;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One number of ours and the paper's.
 *
 * @param value ours; null: nothing was observed
 * @param ci95 half the width of its 95 % confidence interval; null: it has none
 * @param paper the paper's; null: its text gives none
 * @param second ours with the second reading; null: there is none of it
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

    /** A number with the second reading; {@code ci95}: half its 95 % confidence interval, null: it has none. */
    public record Second(double value, @Nullable Double ci95) {}

    /** How the number of the second reading stands to the paper's, compared with that of the first. */
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
     * Whether the second reading brings the number nearer to the paper's. Distances that differ by no more than half of
     * the wider interval are the same. Null without both numbers and the paper's.
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
