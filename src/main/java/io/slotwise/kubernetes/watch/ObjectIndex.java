package io.slotwise.kubernetes.watch;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Objects by a word that each of them has one of, or none. One thread writes, any may read. All but {@link #get} are
 * O(1).
 */
final class ObjectIndex<T> {
    private final Function<T, @Nullable String> word;
    private final Map<String, Map<String, T>> byWord = new ConcurrentHashMap<>();

    /**
     * @param word of an object; null: it has none
     */
    ObjectIndex(Function<T, @Nullable String> word) {
        this.word = word;
    }

    /** The objects of a word, in any order. O(objects of the word). */
    List<T> get(String of) {
        Map<String, T> found = byWord.get(of);
        return found == null ? List.of() : List.copyOf(found.values());
    }

    void put(String key, @Nullable T before, T now) {
        String to = word.apply(now);
        if (before != null) {
            String from = word.apply(before);
            if (from != null && !from.equals(to)) {
                remove(from, key);
            }
        }
        if (to != null) {
            byWord.compute(to, (_, known) -> {
                // Most words have one object.
                Map<String, T> of = known == null ? new ConcurrentHashMap<>(1) : known;
                of.put(key, now);
                return of;
            });
        }
    }

    void remove(String key, T last) {
        String from = word.apply(last);
        if (from != null) {
            remove(from, key);
        }
    }

    private void remove(String from, String key) {
        byWord.computeIfPresent(from, (_, known) -> {
            known.remove(key);
            return known.isEmpty() ? null : known;
        });
    }
}
