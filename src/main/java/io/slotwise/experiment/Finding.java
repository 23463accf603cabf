package io.slotwise.experiment;

/**
 * Something that a paper found, and whether it is so here.
 *
 * @param place figure or table of the paper
 * @param statement what the paper found
 * @param holds whether it is so here
 * @param evidence our numbers
 */
public record Finding(String place, String statement, Verdict holds, String evidence) {
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
