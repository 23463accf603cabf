package io.slotwise.kubernetes.watch;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An index that groups objects by a word of theirs, such as the gang of a pod. An object has at most one word. One
 * thread writes, any may read. All methods but {@link #get} are O(1).
 */
final class ObjectIndex<T> {
    private final Function<T, @Nullable String> word;
    private final Map<String, Map<String, T>> byWord = new ConcurrentHashMap<>();

    /**
     * @param word returns the word of an object, or null
     */
    ObjectIndex(Function<T, @Nullable String> word) {
        this.word = word;
    }

    /** Returns the objects with a word, in any order. O(objects with the word). */
    List<T> get(String word) {
        Map<String, T> found = byWord.get(word);
        return found == null ? List.of() : List.copyOf(found.values());
    }

    /**
     * Adds or replaces an object.
     *
     * @param key identifies the object among all others
     * @param before the object that it replaces, or null
     */
    void put(String key, @Nullable T before, T now) {
        String newWord = word.apply(now);
        if (before != null) {
            String oldWord = word.apply(before);
            if (oldWord != null && !oldWord.equals(newWord)) {
                remove(oldWord, key);
            }
        }
        if (newWord != null) {
            byWord.compute(newWord, (_, known) -> {
                // Most words have one object.
                Map<String, T> sameWord = known == null ? new ConcurrentHashMap<>(1) : known;
                sameWord.put(key, now);
                return sameWord;
            });
        }
    }

    void remove(String key, T last) {
        String oldWord = word.apply(last);
        if (oldWord != null) {
            remove(oldWord, key);
        }
    }

    private void remove(String oldWord, String key) {
        byWord.computeIfPresent(oldWord, (_, known) -> {
            known.remove(key);
            return known.isEmpty() ? null : known;
        });
    }
}
