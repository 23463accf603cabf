package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.gangs.GangSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of an object with its path, which messages about unreadable values name. A null and an empty text count as
 * absent, as in the API server.
 *
 * @param path such as {@code spec.replicatedJobs[1]}
 * @param value the fields; a missing node if the part is absent
 */
record ObjectFields(String path, JsonNode value) {
    static final int MOST = GangSize.LARGEST;

    boolean isThere() {
        return !isAbsent(value);
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode()
                || value.isNull()
                || (value.isTextual() && value.asText().isBlank());
    }

    private String path(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    ObjectFields at(String field) {
        JsonNode part = value.path(field);
        if (!isAbsent(part) && !part.isObject()) {
            throw invalid(field, part, "fields");
        }
        return new ObjectFields(path(field), part);
    }

    /** Returns the fields of a part, to which some are added. The part is created if it is absent. */
    ObjectFields child(String field) {
        return at(field).value() instanceof ObjectNode
                ? at(field)
                : new ObjectFields(path(field), fields().putObject(field));
    }

    /** Returns the fields, to which some are added. */
    ObjectNode fields() {
        return (ObjectNode) value;
    }

    /** Returns a list, to which items are added. It is created if it is absent. */
    ArrayNode list(String field) {
        items(field);
        return value.path(field) instanceof ArrayNode list ? list : fields().putArray(field);
    }

    List<ObjectFields> items(String field) {
        JsonNode list = value.path(field);
        if (isAbsent(list)) {
            return List.of();
        }
        if (!list.isArray()) {
            throw invalid(field, list, "a list");
        }
        List<ObjectFields> items = new ArrayList<>();
        for (JsonNode item : list) {
            if (!item.isObject()) {
                throw invalid("%s[%d]".formatted(field, items.size()), item, "fields");
            }
            items.add(new ObjectFields("%s[%d]".formatted(path(field), items.size()), item));
        }
        return items;
    }

    /** Copies a field under a name, if it is there. */
    void copy(String field, ObjectNode to, String name) {
        if (has(field)) {
            to.set(name, value.path(field));
        }
    }

    List<String> names() {
        return value.properties().stream().map(Map.Entry::getKey).toList();
    }

    boolean has(String field) {
        return !isAbsent(value.path(field));
    }

    int count(String field, int absent) {
        return count(field, absent, MOST);
    }

    int count(String field, int absent, int most) {
        JsonNode count = value.path(field);
        if (isAbsent(count)) {
            return absent;
        }
        if (!count.canConvertToExactIntegral()
                || !count.canConvertToInt()
                || count.intValue() < 0
                || count.intValue() > most) {
            throw invalid(field, count, "a whole number between 0 and " + most);
        }
        return count.intValue();
    }

    /** Returns a boolean; false if absent. */
    boolean flag(String field) {
        JsonNode flag = value.path(field);
        if (isAbsent(flag)) {
            return false;
        }
        if (flag.isBoolean() || flag.asText().equals("true") || flag.asText().equals("false")) {
            return flag.asBoolean();
        }
        throw invalid(field, flag, "true or false");
    }

    @Nullable
    String text(String field) {
        JsonNode text = value.path(field);
        if (isAbsent(text)) {
            return null;
        }
        if (text.isContainerNode()) {
            throw invalid(field, text, "a text");
        }
        return text.asText();
    }

    /** Returns the one of some words that a field has; the first of them if it is absent. */
    String oneOf(String field, String... words) {
        String text = text(field);
        if (text != null && !List.of(words).contains(text)) {
            throw invalid(field, value.path(field), String.join(" or ", words));
        }
        return text == null ? words[0] : text;
    }

    String required(String field, String expected) {
        String text = text(field);
        if (text == null) {
            throw new IllegalArgumentException("no %s: expected %s".formatted(path(field), expected));
        }
        return text;
    }

    IllegalArgumentException invalid(String field, JsonNode found, String expected) {
        String shown = found.isValueNode() ? found.asText() : found.toString();
        return new IllegalArgumentException(
                "%s (%s) is not valid: expected %s".formatted(path(field), SafeText.value(shown), expected));
    }
}
