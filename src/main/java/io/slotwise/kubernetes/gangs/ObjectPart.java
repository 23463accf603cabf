package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.slotwise.core.text.SafeText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of an object, empty if it is absent. Messages about unreadable values name the object. */
record ObjectPart(GenericKubernetesResource object, Map<?, ?> fields) {
    static ObjectPart of(GenericKubernetesResource object) {
        return new ObjectPart(object, object.getAdditionalProperties());
    }

    static ObjectPart spec(GenericKubernetesResource object) {
        return of(object).at("spec");
    }

    @Nullable
    Object get(String field) {
        return fields.get(field);
    }

    ObjectPart at(String field) {
        return switch (fields.get(field)) {
            case null -> new ObjectPart(object, Map.of());
            case Map<?, ?> part -> new ObjectPart(object, part);
            case Object value -> throw invalid(field, value, "fields");
        };
    }

    /** Returns the parts of a list; none if it is absent. */
    List<ObjectPart> items(String field) {
        Object value = fields.get(field);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> items && items.stream().allMatch(item -> item instanceof Map<?, ?>)) {
            return items.stream()
                    .map(item -> new ObjectPart(object, (Map<?, ?>) item))
                    .toList();
        }
        throw invalid(field, value, "a list");
    }

    long count(String field, long absent) {
        Object value = fields.get(field);
        return value == null ? absent : AnnotationParsing.figure(field, value, object, 0, Integer.MAX_VALUE);
    }

    private IllegalArgumentException invalid(String field, Object value, String expected) {
        return new IllegalArgumentException("`%s` (%s) of %s is not valid: expected %s"
                .formatted(field, SafeText.value(String.valueOf(value)), AnnotationParsing.name(object), expected));
    }
}
