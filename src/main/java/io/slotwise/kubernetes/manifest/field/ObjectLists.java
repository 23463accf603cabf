package io.slotwise.kubernetes.manifest.field;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Objects of several sources together. */
public final class ObjectLists {
    private ObjectLists() {}

    /** The objects of two lists. */
    public static <T> List<T> both(List<T> one, List<T> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    /** The values of two sets. */
    public static <T> Set<T> both(Set<T> one, Set<T> other) {
        Set<T> all = new HashSet<>(one);
        all.addAll(other);
        return all;
    }

    /** The values of two maps, of one key the second's. */
    public static <K, V> Map<K, V> both(Map<K, V> one, Map<K, V> other) {
        Map<K, V> all = new HashMap<>(one);
        all.putAll(other);
        return all;
    }

    /** The kinds of which there are objects, and those that were listed. */
    public static <K> Set<K> held(Map<K, List<?>> objects, Predicate<K> listed) {
        return objects.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty() || listed.test(entry.getKey()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
