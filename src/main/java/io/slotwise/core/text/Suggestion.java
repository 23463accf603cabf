package io.slotwise.core.text;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Suggests the word that a mistyped word may mean. */
public final class Suggestion {
    private static final int MOST_EDITS = 3;

    /** The number of letters that identify a word. */
    private static final int STEM = 4;

    private Suggestion() {}

    /** Returns the word with the least edit distance, at most half of a short word. */
    public static Optional<String> nearest(String typed, List<String> words) {
        int most = Math.min(MOST_EDITS, Math.max(1, typed.length() / 2));
        return words.stream()
                .filter(word -> edits(typed, word) <= most)
                .min(Comparator.comparingInt((String word) -> edits(typed, word))
                        .thenComparing(word -> word));
    }

    /**
     * Returns the nearest key, whose names are separated by dots and their words by hyphens. A key whose last name is
     * near counts, too. If none is near, it is the shortest key with the most words that begin like a typed word.
     */
    public static Optional<String> nearestKey(String typed, List<String> keys) {
        Optional<String> near = nearest(typed, keys);
        if (near.isPresent()) {
            return near;
        }
        Optional<String> name =
                nearest(last(typed), keys.stream().map(Suggestion::last).toList());
        Comparator<String> shortest = Comparator.comparingInt(String::length).thenComparing(key -> key);
        return name.isPresent()
                ? keys.stream().filter(key -> last(key).equals(name.get())).min(shortest)
                : keys.stream()
                        .filter(key -> common(typed, key) > 0)
                        .min(Comparator.comparingInt((String key) -> -common(typed, key))
                                .thenComparing(shortest));
    }

    private static String last(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    private static int common(String typed, String key) {
        int common = 0;
        for (String word : typed.split("[-._]", -1)) {
            common += word.length() >= STEM && words(key).anyMatch(other -> other.startsWith(word.substring(0, STEM)))
                    ? 1
                    : 0;
        }
        return common;
    }

    private static Stream<String> words(String key) {
        return Stream.of(key.split("[-.]", -1));
    }

    /** Returns the Levenshtein distance, O(product of the lengths). */
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
