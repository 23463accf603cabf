package io.slotwise.kubernetes.manifest.pods;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values computed from one object each, kept while they are used. A watch returns the same object until there is
 * another version, and no reader changes an object. Another object is another version, even if it is equal. Entries
 * that were not used between two {@linkplain #turn turns} are dropped. Thread-safe; O(1) for a cached value.
 *
 * @param <K> the objects
 * @param <V> the values
 */
public final class ObjectCache<K, V> {
    private volatile Map<Same, V> asked = new ConcurrentHashMap<>();
    private volatile Map<Same, V> before = new ConcurrentHashMap<>();

    private record Same(Object object) {
        @Override
        public int hashCode() {
            return System.identityHashCode(object);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // Another object is another version.
        public boolean equals(@Nullable Object other) {
            return other instanceof Same(Object that) && that == object;
        }
    }

    /**
     * Returns the value of an object.
     *
     * @param work computes it; an error is passed on and nothing is cached
     */
    public V get(K object, Function<? super K, ? extends V> work) {
        Same same = new Same(object);
        Map<Same, V> now = asked;
        V known = now.get(same);
        if (known != null) {
            return known;
        }
        V earlier = before.get(same);
        V value = earlier == null ? work.apply(object) : earlier;
        now.put(same, value);
        return value;
    }

    /** Forgets entries that were not used since the last turn. */
    public void turn() {
        before = asked;
        asked = new ConcurrentHashMap<>();
    }
}
