package io.slotwise.lab.experiment;

import org.jspecify.annotations.Nullable;

/**
 * Something that a paper found, and whether it is so here.
 *
 * @param place figure or table of the paper
 * @param statement what the paper found
 * @param holds whether it is so here
 * @param evidence our numbers
 * @param second whether it is so with the second reading; null: there is none of it
 */
public record Finding(
        String place,
        String statement,
        Verdict holds,
        String evidence,
        @Nullable Second second) {
    /** A finding with one reading. */
    public Finding(String place, String statement, Verdict holds, String evidence) {
        this(place, statement, holds, evidence, null);
    }

    /**
     * The same with the second reading.
     *
     * @param holds whether it is so
     * @param evidence our numbers
     */
    public record Second(Verdict holds, String evidence) {}

    /** The same finding with what the second reading says of it. */
    Finding beside(Finding other) {
        return new Finding(place, statement, holds, evidence, new Second(other.holds, other.evidence));
    }

    /** Whether a finding holds. */
    public enum Verdict {
        YES("yes"),
        PARTLY("partly"),
        NO("no");

        private final String word;

        Verdict(String word) {
            this.word = word;
        }

        /** In words. */
        public String word() {
            return word;
        }

        /** Of a finding with these parts. */
        public static Verdict of(boolean... parts) {
            int met = 0;
            for (boolean part : parts) {
                met += part ? 1 : 0;
            }
            return met == parts.length ? YES : met == 0 ? NO : PARTLY;
        }
    }
}
