package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.slotwise.kubernetes.manifest.schema.ObjectSchema;
import io.slotwise.kubernetes.manifest.schema.PodRules;
import io.slotwise.kubernetes.manifest.schema.SchemaFlaw;
import io.slotwise.kubernetes.manifest.schema.UnreadableField;
import java.util.Map;
import java.util.Objects;

/**
 * An object as written, or as the controller of a written one creates it; the mapper reads pod templates.
 *
 * @param specFields its specification, with the path where the user wrote it
 * @param namedObjects the objects that it may name
 */
record WrittenObject(
        ObjectMeta metadata,
        ObjectNode object,
        ObjectFields specFields,
        ObjectMapper mapper,
        NamedObjects namedObjects) {
    WrittenObject(ObjectMeta metadata, ObjectNode object, ObjectMapper mapper, NamedObjects namedObjects) {
        this(metadata, object, new ObjectFields("", object).at("spec"), mapper, namedObjects);
    }

    ObjectFields spec() {
        return specFields;
    }

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

    Map<String, String> annotations() {
        return Objects.requireNonNullElse(metadata.getAnnotations(), Map.of());
    }

    Map<String, String> labels() {
        return Objects.requireNonNullElse(metadata.getLabels(), Map.of());
    }

    /** Returns the object of the input that a field names. */
    ObjectNode named(String kind, String namespace, ObjectFields parent, String field) {
        String name = parent.required(field, "the name of a " + kind);
        ObjectNode found = namedObjects.find(kind, namespace, name);
        if (found == null) {
            throw new NamedObjects.Missing(
                    kind, namespace.isEmpty() ? name : namespace + "/" + name, parent.path() + "." + field);
        }
        return found;
    }

    /** Returns a copy of the pod template under a field. */
    PodTemplateSpec template(ObjectFields parent, String field) {
        return template(parent.at(field));
    }

    PodTemplateSpec template(ObjectFields templateFields) {
        ObjectFields specFields = templateFields.at("spec");
        if (!specFields.isThere()) {
            throw new IllegalArgumentException("no %s: expected the pod template".formatted(specFields.path()));
        }
        for (SchemaFlaw flaw :
                ObjectSchema.flaws(ObjectSchema.Part.POD_TEMPLATE, templateFields.value(), templateFields.path())) {
            if (!flaw.isUnknown()) {
                throw new IllegalArgumentException(flaw.message());
            }
        }
        SchemaFlaw flaw = PodRules.broken(specFields.value(), specFields.path());
        if (flaw != null) {
            throw new IllegalArgumentException(flaw.message());
        }
        try {
            return mapper.treeToValue(templateFields.value(), PodTemplateSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(UnreadableField.of(templateFields.path(), templateFields.value(), e), e);
        }
    }
}
