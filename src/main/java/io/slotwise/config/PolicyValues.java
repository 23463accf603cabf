package io.slotwise.config;

import io.slotwise.core.text.Suggestion;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The values of all keys of a policy. Each is read once with its type, and a key that was never read is unknown. */
final class PolicyValues {
    /** The key of the preset on which a policy is based. */
    static final String PRESET = "preset";

    private static final String EMPTY = "{}";

    private final NavigableMap<String, PolicyValue> values;
    private final Map<String, KeyType<?>> asked = new LinkedHashMap<>();
    private final Set<String> maps = new LinkedHashSet<>();

    PolicyValues(NavigableMap<String, PolicyValue> values) {
        this.values = values;
    }

    /** Returns the keys that were read, in this order. */
    Map<String, KeyType<?>> asked() {
        return asked;
    }

    /** Returns whether a key maps names of the admin's choice to values. */
    boolean isMap(String key) {
        return maps.contains(key);
    }

    <T extends @Nullable Object> T get(String key, KeyType<T> type) {
        asked.put(key, type);
        return parsed(key, whole(key), type);
    }

    <T> @Nullable T optional(String key, KeyType<T> type) {
        asked.put(key, type);
        PolicyValue value = values.get(key);
        return value == null ? null : parsed(key, value, type);
    }

    /** Returns the values of a list without duplicates, by key. */
    <T> Set<T> set(String key, T[] choices, Function<T, String> name) {
        KeyType<T> type = KeyType.list(choices, name);
        List<T> items = list(key, type, KeyType.choice(choices, name));
        if (items.isEmpty()) {
            throw invalid(key, whole(key), type.expected());
        }
        return new LinkedHashSet<>(items);
    }

    /** Returns the values of a list, in order. */
    <T> List<T> list(String key, KeyType<?> type, KeyType<T> itemType) {
        asked.put(key, type);
        return items(key, whole(key), type, itemType);
    }

    private static <T> List<T> items(String key, PolicyValue value, KeyType<?> type, KeyType<T> itemType) {
        if (value.form() != PolicyValue.Form.SEQUENCE) {
            throw invalid(key, value, type.expected());
        }
        try {
            return value.items().stream().map(itemType.parser()).toList();
        } catch (IllegalArgumentException e) {
            throw invalid(key, value, type.expected());
        }
    }

    /** Returns the keys of the mappings in a list, in order. */
    List<String> mappings(String key, KeyType<String> type) {
        asked.put(key, type);
        PolicyValue value = whole(key);
        if (value.form() != PolicyValue.Form.SEQUENCE || !value.items().isEmpty()) {
            throw invalid(key, value, type.expected());
        }
        return IntStream.iterate(0, item -> item + 1)
                .mapToObj(item -> "%s[%d]".formatted(key, item))
                .takeWhile(values::containsKey)
                .toList();
    }

    /** Returns values by names of the admin's choice. */
    <T> SortedMap<String, T> map(String key, KeyType<T> type) {
        return named(key, type, (full, value) -> parsed(full, value, type));
    }

    /** Returns lists by names of the admin's choice. */
    <T> SortedMap<String, List<T>> lists(String key, KeyType<?> type, KeyType<T> itemType) {
        return named(key, type, (full, value) -> items(full, value, type, itemType));
    }

    private <T> SortedMap<String, T> named(String key, KeyType<?> type, BiFunction<String, PolicyValue, T> reading) {
        asked.put(key, type);
        maps.add(key);
        SortedMap<String, T> named = new TreeMap<>();
        String prefix = key + ".";
        values.tailMap(prefix, true)
                .headMap(key + "/", false)
                .forEach((full, value) -> named.put(full.substring(prefix.length()), reading.apply(full, value)));
        return named;
    }

    String text(String key) {
        return whole(key).text();
    }

    private PolicyValue whole(String key) {
        PolicyValue value = values.get(key);
        if (value == null) {
            throw new IllegalStateException("The key %s must have a default.".formatted(key));
        }
        return value;
    }

    /** Returns whether two valid values of a key are equal; a null one differs. */
    boolean means(String key, PolicyValue value, @Nullable PolicyValue other) {
        KeyType<?> type = asked.get(key);
        return other != null
                && (value.text().equals(other.text())
                        || (type != null
                                && value.form() == PolicyValue.Form.SCALAR
                                && Objects.equals(
                                        type.parser().apply(value.text()),
                                        type.parser().apply(other.text()))));
    }

    /** Returns an error about a key's value, or about a conflict of the values below it. */
    InvalidInput invalid(String key, String expected) {
        PolicyValue value = values.tailMap(key, true).entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(key)
                        && !entry.getValue().place().startsWith(Preset.DEFAULT.key()))
                .findFirst()
                .orElseThrow()
                .getValue();
        return invalid(key, value, expected);
    }

    /** Refuses keys that were never read; {@code own} are those that the policy states. */
    void refuseUnknown(Map<String, PolicyValue> own) {
        own.forEach((key, value) -> {
            List<String> parts = below(key);
            boolean stands =
                    value.form() == PolicyValue.Form.MAPPING || value.text().equals(EMPTY);
            if (maps.contains(key)) {
                if (!stands) {
                    throw invalid(
                            key,
                            value,
                            "expected a mapping of names to values, each "
                                    + Objects.requireNonNull(asked.get(key)).words());
                }
            } else if (!parts.isEmpty()) {
                if (!stands) {
                    throw invalid(
                            key,
                            value,
                            "expected " + mapping(parts) + (key.contains(".") ? "" : meant(key, value, parts)));
                }
            } else if (!key.equals(PRESET)
                    && !asked.containsKey(key)
                    && maps.stream().noneMatch(map -> key.startsWith(map + "."))) {
                throw unknownKey(key, value);
            }
        });
    }

    /** Describes a mapping of these names. */
    static String mapping(List<String> parts) {
        return "a mapping with "
                + (parts.size() == 1
                        ? parts.getFirst()
                        : String.join(", ", parts.subList(0, parts.size() - 1)) + " and " + parts.getLast());
    }

    /** Returns the part of a mapping for which such a value may have been meant. */
    private String meant(String key, PolicyValue value, List<String> parts) {
        return parts.stream()
                .map(part -> key + "." + part)
                .filter(full -> !maps.contains(full) && takes(asked.get(full), value))
                .findFirst()
                .map("; did you mean `%s`?"::formatted)
                .orElse("");
    }

    private static boolean takes(@Nullable KeyType<?> type, PolicyValue value) {
        return type != null && value.form() == PolicyValue.Form.SCALAR && type.takes(value.text());
    }

    private InvalidInput unknownKey(String key, PolicyValue value) {
        String above = key;
        List<String> parts = List.of();
        while (parts.isEmpty() && !above.isEmpty()) {
            above = above.substring(0, Math.max(0, above.lastIndexOf('.')));
            parts = below(above);
        }
        return new InvalidInput("%s: `%s` (%s) is not known%s one of %s"
                .formatted(
                        value.place(),
                        key,
                        value.text(),
                        Suggestion.nearestKey(key, keys())
                                .map("; did you mean `%s`? Expected"::formatted)
                                .orElse(": expected"),
                        String.join(", ", parts)));
    }

    private List<String> keys() {
        return asked.keySet().stream()
                .flatMap(key -> {
                    String[] names = key.split("\\.");
                    return IntStream.rangeClosed(2, names.length)
                            .mapToObj(length -> String.join(".", List.of(names).subList(0, length)));
                })
                .distinct()
                .toList();
    }

    private List<String> below(String key) {
        return below(key, asked.keySet());
    }

    /** Returns the names directly below a key; the groups for the empty key. */
    static List<String> below(String key, Collection<String> keys) {
        String prefix = key.isEmpty() ? "" : key + ".";
        Stream<String> names = keys.stream()
                .filter(full -> full.startsWith(prefix))
                .map(full -> full.substring(prefix.length()).split("\\.", 2)[0])
                .distinct();
        return key.isEmpty() ? Stream.concat(Stream.of(PRESET), names.sorted()).toList() : names.toList();
    }

    static <T extends @Nullable Object> T parsed(String key, PolicyValue value, KeyType<T> type) {
        if (value.form() != PolicyValue.Form.SCALAR) {
            throw invalid(key, value, "expected a plain value");
        }
        try {
            return type.parser().apply(value.text());
        } catch (IllegalArgumentException e) {
            throw invalid(key, value, String.valueOf(e.getMessage()));
        }
    }

    private static InvalidInput invalid(String key, PolicyValue value, String expected) {
        return new InvalidInput("%s: `%s` (%s) is not valid: %s".formatted(value.place(), key, value.text(), expected));
    }
}
