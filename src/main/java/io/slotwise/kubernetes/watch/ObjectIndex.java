package io.slotwise.kubernetes.watch;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Objects by a key, of which each object has at most one. One thread writes, any may read. All methods but {@link #get}
 * are O(1).
 */
final class ObjectIndex<T> {
    private final Function<T, @Nullable String> word;
    private final Map<String, Map<String, T>> byWord = new ConcurrentHashMap<>();

    /**
     * @param word returns an object's key, or null
     */
    ObjectIndex(Function<T, @Nullable String> word) {
        this.word = word;
    }

    /** Returns the objects of a key, in any order. O(objects of the key). */
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
                // Most keys have one object.
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
