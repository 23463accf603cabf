package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.schema.ObjectSchema;
import io.slotwise.kubernetes.manifest.schema.SchemaFlaw;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields of objects in files that the API does not know, such as misspelt ones, which kubectl refuses. If the
 * fields of a kind are not known, only its pod templates are checked. Objects with a UID have passed an API server.
 * Lives for one reading.
 */
final class UnknownFields {
    private static final String CONSEQUENCE = "it does not count in the plan, and kubectl refuses the object";

    private static final Set<String> OF_CLUSTER = Set.of(
            "Node",
            "Namespace",
            "PersistentVolume",
            "StorageClass",
            "CSINode",
            "ResourceSlice",
            "DeviceClass",
            "PriorityClass",
            "RuntimeClass");

    /** The fields of a whole pod that its template lacks. */
    private static final Set<String> OF_PODS = Set.of("apiVersion", "kind", "status");

    /** The fields next to the metadata and specification of a pod in objects of Dask. */
    private static final Set<String> OF_DASK = Set.of("replicas", "service", "cluster");

    /** The objects with each unknown field, by kind and path. */
    private final Map<Unknown, List<Named>> found = new LinkedHashMap<>();

    /** The objects of kinds whose own fields are not known, by kind and API. */
    private final Map<Unchecked, List<Named>> unchecked = new LinkedHashMap<>();

    /** A field of a kind; the suggestion is empty if there is none. */
    private record Unknown(String kind, String path, String suggestion) {}

    private record Unchecked(String kind, String apiVersion) {}

    private record Named(String namespace, String name) {
        static Named of(ObjectNode object) {
            JsonNode metadata = object.path("metadata");
            boolean isOfCluster = OF_CLUSTER.contains(object.path("kind").asText());
            return new Named(
                    metadata.path("namespace").asText(isOfCluster ? "" : "default"),
                    metadata.path("name").asText(metadata.path("generateName").asText("")));
        }

        @Override
        public String toString() {
            return namespace.isEmpty() ? name : namespace + "/" + name;
        }
    }

    void add(ObjectNode object, SchemaFlaw flaw) {
        String suggestion = flaw.expected().isEmpty() ? "" : ", maybe it is `%s`".formatted(flaw.expected());
        found.computeIfAbsent(
                        new Unknown(object.path("kind").asText(), SafeText.line(flaw.path()), suggestion),
                        _ -> new ArrayList<>())
                .add(Named.of(object));
    }

    /**
     * Checks all pod templates of an object of another project whose own fields are not known. O(size of the object).
     */
    void lookAtTemplates(ObjectNode object) {
        if (!ObjectSchema.knows(object) && !object.path("metadata").hasNonNull("uid")) {
            unchecked
                    .computeIfAbsent(
                            new Unchecked(
                                    object.path("kind").asText(),
                                    SafeText.value(object.path("apiVersion").asText())),
                            _ -> new ArrayList<>())
                    .add(Named.of(object));
            templates(object, object, "");
        }
    }

    private void templates(JsonNode node, ObjectNode object, String path) {
        boolean isOther = node.has("apiVersion") && !node.path("kind").asText().equals("Pod");
        if (!isOther && node.path("spec").path("containers").isArray()) {
            Set<String> beside = node.has("apiVersion")
                    ? OF_PODS
                    : object.path("kind").asText().startsWith("Dask") ? OF_DASK : Set.of();
            ObjectSchema.flaws(ObjectSchema.Part.POD_TEMPLATE, node, path).stream()
                    .filter(flaw ->
                            flaw.isUnknown() && !beside.contains(flaw.path().substring(path.length() + 1)))
                    .forEach(flaw -> add(object, flaw));
            return;
        }
        node.properties()
                .forEach(entry -> templates(
                        entry.getValue(), object, path.isEmpty() ? entry.getKey() : path + "." + entry.getKey()));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            templates(node.get(i), object, path + "[" + i + "]");
        }
    }

    List<IntakeWarning> warnings() {
        List<IntakeWarning> warnings = new ArrayList<>();
        found.forEach((field, objects) -> {
            Named first = objects.getFirst();
            warnings.add(IntakeWarning.of(
                    IntakeWarning.Reason.UNKNOWN_FIELD,
                    new Subject(field.kind(), first.namespace(), first.name()),
                    field.path(),
                    "`%s` of %s %s is not known%s"
                            .formatted(field.path(), field.kind(), few(objects), field.suggestion()),
                    CONSEQUENCE));
        });
        return warnings;
    }

    /** Returns a note for each kind whose own fields are not known, in the order of reading. */
    List<IntakeWarning> unchecked() {
        List<IntakeWarning> notes = new ArrayList<>();
        unchecked.forEach((unchecked, objects) -> notes.add(IntakeWarning.of(
                IntakeWarning.Reason.UNCHECKED,
                new Subject(
                        unchecked.kind(),
                        objects.getFirst().namespace(),
                        objects.getFirst().name()),
                null,
                "the fields of %s %s (%s) are not checked beyond pod templates"
                        .formatted(unchecked.kind(), few(objects), unchecked.apiVersion()),
                "a misspelt one does not count in the plan")));
        return notes;
    }

    private static String few(List<Named> objects) {
        return PodFindings.few(objects.stream().map(Named::toString).toList());
    }
}
