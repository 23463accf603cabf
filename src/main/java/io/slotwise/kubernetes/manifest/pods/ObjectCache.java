package io.slotwise.kubernetes.manifest.pods;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What follows from one object alone, worked out once for as long as it is asked for again and again. A watch hands out
 * the same object until there is another version of it, and no reader changes one that it was handed: another object,
 * though equal, is another version. What was not asked for between two {@linkplain #turn turns} is forgotten. Safe for
 * threads; O(1) where it is known.
 *
 * @param <K> of objects
 * @param <V> of what follows
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
     * What follows from an object.
     *
     * @param work works it out; an error in it is handed on and nothing is kept
     */
    public V get(K object, Function<? super K, ? extends V> work) {
        Same same = new Same(object);
        Map<Same, V> now = asked;
        V known = now.get(same);
        if (known != null) {
            return known;
        }
        V earlier = before.get(same);
        V made = earlier == null ? work.apply(object) : earlier;
        now.put(same, made);
        return made;
    }

    /** Forgets what was not asked for since the last turn. */
    public void turn() {
        before = asked;
        asked = new ConcurrentHashMap<>();
    }
}
