package io.slotwise.kubernetes.manifest;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What follows from one object alone, worked out once for as long as anybody has that object. A watch hands out the same object until there is another
 * version of it, and nobody changes one that he was handed: another object, though equal, is another version. Safe for threads; O(1) where it is known.
 *
 * @param <K> of objects; what follows from one must not hold it
 * @param <V> of what follows
 */
public final class OfObjects<K, V> {
    private final Map<Object, V> known = new ConcurrentHashMap<>();
    private final ReferenceQueue<K> forgotten = new ReferenceQueue<>();

    /** An object that is kept for as long as anybody else has it. */
    private static final class Kept<K> extends WeakReference<K> {
        private final int hash;

        Kept(K object, ReferenceQueue<K> forgotten) {
            super(object, forgotten);
            this.hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // Another object is another version.
        public boolean equals(@Nullable Object other) {
            K object = get();
            return other == this || (object != null && other instanceof Kept<?> that && that.get() == object);
        }
    }

    /** An object that is asked for. */
    private record Asked(Object object) {
        @Override
        public int hashCode() {
            return System.identityHashCode(object);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // Another object is another version.
        public boolean equals(@Nullable Object other) {
            return other instanceof Kept<?> kept && kept.get() == object;
        }
    }

    /**
     * What follows from an object.
     *
     * @param work works it out; an error in it is handed on and nothing is kept
     */
    public V get(K object, Function<? super K, ? extends V> work) {
        V found = known.get(new Asked(object));
        if (found != null) {
            return found;
        }
        for (Reference<? extends K> gone = forgotten.poll(); gone != null; gone = forgotten.poll()) {
            known.remove(gone);
        }
        V made = work.apply(object);
        known.put(new Kept<>(object, forgotten), made);
        return made;
    }
}
