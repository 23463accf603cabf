package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.text.SafeText;

/** Messages about fields that do not fit their class. The library's own messages are for programmers. */
public final class UnreadableField {
    private UnreadableField() {}

    /**
     * Returns one sentence with the field and its value.
     *
     * @param start the path of the object that was read
     */
    public static String of(String start, JsonNode object, JsonProcessingException error) {
        StringBuilder path = new StringBuilder(start);
        JsonNode value = object;
        if (error instanceof JsonMappingException mapping) {
            for (JsonMappingException.Reference reference : mapping.getPath()) {
                if (reference.getFieldName() == null) {
                    path.append('[').append(reference.getIndex()).append(']');
                    value = value.path(reference.getIndex());
                } else {
                    path.append(path.isEmpty() ? "" : ".").append(reference.getFieldName());
                    value = value.path(reference.getFieldName());
                }
            }
        }
        return "%s (%s) is not valid: expected what the API has there"
                .formatted(
                        path.isEmpty() ? "the object" : SafeText.line(path.toString()),
                        SafeText.value(value.isValueNode() ? value.asText() : value.toString()));
    }
}
