package io.slotwise.testing;

import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Counts the entries of each map and collection that an object reaches, by reflection: through fields of Slotwise's own
 * classes, lambdas, maps, collections, arrays and references. O(objects).
 */
public final class Census {
    private static final String OURS = "io.slotwise.";

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private final SortedMap<String, Long> sizes = new TreeMap<>();

    private Census() {}

    public static SortedMap<String, Long> of(Object root) {
        Census census = new Census();
        census.meet(root, "root");
        while (!census.open.isEmpty()) {
            census.look(census.open.remove());
        }
        return census.sizes;
    }

    /** Counts an object once, and all that the object reaches. */
    private void meet(@Nullable Object object, String where) {
        if (object == null || object instanceof Class<?> || !seen.add(object)) {
            return;
        }
        switch (object) {
            case Map<?, ?> map -> {
                count(where, map.size());
                map.forEach((key, value) -> {
                    meet(key, where + "[key]");
                    meet(value, where + "[]");
                });
            }
            case Collection<?> items -> {
                count(where, items.size());
                List.copyOf(items.stream().filter(item -> item != null).toList())
                        .forEach(item -> meet(item, where + "[]"));
            }
            case AtomicReference<?> reference -> meet(reference.get(), where);
            case MeterRegistry registry ->
                count(where + " (meters)", registry.getMeters().size());
            default -> {
                if (object.getClass().isArray()) {
                    for (int i = 0;
                            !object.getClass().getComponentType().isPrimitive() && i < Array.getLength(object);
                            i++) {
                        meet(Array.get(object, i), where + "[]");
                    }
                } else if (object.getClass().getName().startsWith(OURS)) {
                    open.add(object);
                }
            }
        }
    }

    private void count(String where, int size) {
        sizes.merge(where, (long) size, Long::sum);
    }

    private void look(Object object) {
        for (Class<?> type = object.getClass();
                type != null && type.getName().startsWith(OURS);
                type = type.getSuperclass()) {
            String name = type.getName().replaceAll("\\$\\$Lambda.*", " lambda").substring(OURS.length());
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    try {
                        meet(field.get(object), name + "." + (type.isHidden() ? "captured" : field.getName()));
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }
    }
}
