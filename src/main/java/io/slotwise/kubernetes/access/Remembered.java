package io.slotwise.kubernetes.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Answers that hold for a while: a bounded number, of which the one goes first that was not asked for the longest. Safe for threads. */
final class Remembered<K, V> {
    private final Map<K, Kept<V>> entries;
    private final LongSupplier nanos;

    private record Kept<V>(V value, long until) {}

    /**
     * Remembers nothing yet.
     *
     * @param most how many at once
     * @param nanos a clock that never goes back
     */
    Remembered(int most, LongSupplier nanos) {
        this.nanos = nanos;
        this.entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, Kept<V>> eldest) {
                return size() > most;
            }
        };
    }

    synchronized @Nullable V get(K key) {
        Kept<V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (entry.until() - nanos.getAsLong() <= 0) {
            entries.remove(key);
            return null;
        }
        return entry.value();
    }

    synchronized void put(K key, V value, Duration time) {
        entries.put(key, new Kept<>(value, nanos.getAsLong() + time.toNanos()));
    }

    synchronized int size() {
        return entries.size();
    }
}
