package io.slotwise.kubernetes.manifest.field;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Combines objects from several sources. */
public final class ObjectLists {
    private ObjectLists() {}

    public static <T> List<T> both(List<? extends T> one, List<? extends T> other) {
        return Stream.<T>concat(one.stream(), other.stream()).toList();
    }

    /** Merges two maps; the second one wins. */
    public static <K, V> Map<K, V> both(Map<K, V> one, Map<K, V> other) {
        Map<K, V> all = new HashMap<>(one);
        all.putAll(other);
        return all;
    }
}
