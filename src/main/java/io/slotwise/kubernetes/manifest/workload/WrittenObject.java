package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Map;
import java.util.Objects;

/**
 * An object as it was written.
 *
 * @param metadata its name, namespace, labels and annotations
 * @param object all of it
 * @param mapper reads pod templates
 */
record WrittenObject(ObjectMeta metadata, ObjectNode object, ObjectMapper mapper) {
    String apiVersion() {
        return object.path("apiVersion").asText();
    }

    String kind() {
        return object.path("kind").asText();
    }

    String name() {
        return metadata.getName();
    }

    String namespace() {
        return metadata.getNamespace();
    }

    /** Its annotations; empty: it has none. */
    Map<String, String> annotations() {
        return Objects.requireNonNullElse(metadata.getAnnotations(), Map.of());
    }

    /** Its specification. */
    ObjectFields spec() {
        return new ObjectFields("", object).at("spec");
    }

    /** The pod template under a field; each call reads it anew. */
    PodTemplateSpec template(ObjectFields parent, String field) {
        ObjectFields template = parent.at(field);
        ObjectFields spec = template.at("spec");
        if (!spec.isThere()) {
            throw new IllegalArgumentException("no %s: expected the pod template".formatted(spec.path()));
        }
        try {
            return mapper.treeToValue(template.value(), PodTemplateSpec.class);
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException(
                    "%s: %s".formatted(path(template.path(), e), firstLine(e.getOriginalMessage())), e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "%s: %s".formatted(template.path(), firstLine(e.getOriginalMessage())), e);
        }
    }

    private static String path(String start, JsonMappingException e) {
        StringBuilder path = new StringBuilder(start);
        for (JsonMappingException.Reference reference : e.getPath()) {
            if (reference.getFieldName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append('.').append(reference.getFieldName());
            }
        }
        return path.toString();
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("").strip();
    }
}
