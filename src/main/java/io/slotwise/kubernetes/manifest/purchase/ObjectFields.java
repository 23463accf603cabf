package io.slotwise.kubernetes.manifest.purchase;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads parts of objects without a class of their own. A value of another type counts as absent. */
final class ObjectFields {
    private ObjectFields() {}

    static Map<String, Object> object(GenericKubernetesResource from, String... path) {
        Object found = from.getAdditionalProperties();
        for (String field : path) {
            found = found instanceof Map<?, ?> fields ? fields.get(field) : null;
        }
        return object(found);
    }

    static Map<String, Object> object(Map<String, Object> from, String field) {
        return object(from.get(field));
    }

    private static Map<String, Object> object(@Nullable Object found) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (found instanceof Map<?, ?> map) {
            map.forEach((key, value) -> fields.put(String.valueOf(key), value));
        }
        return fields;
    }

    static List<Map<String, Object>> objects(Map<String, Object> from, String field) {
        List<Map<String, Object>> objects = new ArrayList<>();
        if (from.get(field) instanceof List<?> list) {
            list.forEach(item -> objects.add(object(item)));
        }
        return objects;
    }

    static String condition(GenericKubernetesResource of, String type) {
        return condition(of, type, "status");
    }

    /** Returns since when a condition has its status, RFC 3339, or an empty text. */
    static String conditionSince(GenericKubernetesResource of, String type) {
        return condition(of, type, "lastTransitionTime");
    }

    private static String condition(GenericKubernetesResource of, String type, String field) {
        return objects(object(of, "status"), "conditions").stream()
                .filter(condition -> text(condition, "type").equals(type))
                .map(condition -> text(condition, field))
                .findFirst()
                .orElse("");
    }

    static List<String> texts(Map<String, Object> from, String field) {
        List<String> texts = new ArrayList<>();
        if (from.get(field) instanceof List<?> list) {
            list.forEach(item -> texts.add(String.valueOf(item)));
        }
        return texts;
    }

    static Map<String, String> mapping(Map<String, Object> from, String field) {
        Map<String, String> texts = new LinkedHashMap<>();
        object(from, field).forEach((key, value) -> texts.put(key, String.valueOf(value)));
        return texts;
    }

    static String text(Map<String, Object> from, String field) {
        Object value = from.get(field);
        return value == null ? "" : String.valueOf(value);
    }

    /**
     * Returns the seconds between two RFC 3339 instants in whole seconds, rounded up, at least 1. Empty if one of them
     * is missing.
     */
    static OptionalLong secondsBetween(@Nullable String from, @Nullable String to) {
        if (from == null || to == null || to.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long seconds =
                    Duration.between(Instant.parse(from), Instant.parse(to)).toSeconds();
            return OptionalLong.of(Math.max(0, seconds) + 1);
        } catch (DateTimeException | ArithmeticException e) {
            return OptionalLong.empty();
        }
    }
}
