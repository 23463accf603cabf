package io.slotwise.core.text;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What a mistyped word may have been meant to be. */
public final class Suggestion {
    private static final int MOST_EDITS = 3;

    private Suggestion() {}

    /**
     * The word that takes the fewest insertions, deletions and replacements of letters, if they are few: of a short
     * word at most half.
     */
    public static Optional<String> nearest(String typed, List<String> words) {
        int most = Math.min(MOST_EDITS, Math.max(1, typed.length() / 2));
        return words.stream()
                .filter(word -> edits(typed, word) <= most)
                .min(Comparator.comparingInt((String word) -> edits(typed, word))
                        .thenComparing(word -> word));
    }

    /** The Levenshtein distance, O(product of the lengths). */
    private static int edits(String from, String to) {
        int[] before = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] now = new int[to.length() + 1];
            now[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = before[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(replaced, Math.min(before[j], now[j - 1]) + 1);
            }
            before = now;
        }
        return before[to.length()];
    }
}
