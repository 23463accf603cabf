package io.slotwise.it.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The table of fields that {@link io.slotwise.kubernetes.manifest.schema.ObjectSchema} reads, made of what an API
 * server serves under {@code /openapi/v3}: kinds first, then each type with its fields in the order of their names.
 */
final class SchemaText {
    /** The kinds that are read, by the API that has them. */
    static final Map<String, List<String>> KINDS = Map.of(
            "v1",
                    List.of(
                            "LimitRange",
                            "Namespace",
                            "Node",
                            "PersistentVolume",
                            "PersistentVolumeClaim",
                            "Pod",
                            "ResourceQuota"),
            "apps/v1", List.of("Deployment", "ReplicaSet", "StatefulSet"),
            "batch/v1", List.of("Job"),
            "node.k8s.io/v1", List.of("RuntimeClass"),
            "policy/v1", List.of("PodDisruptionBudget"),
            "resource.k8s.io/v1", List.of("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"),
            "scheduling.k8s.io/v1", List.of("PriorityClass"),
            "storage.k8s.io/v1", List.of("CSINode", "StorageClass"));

    private static final String REFERENCE = "$ref";

    private final SortedMap<String, JsonNode> known = new TreeMap<>();
    private final SortedMap<String, String> kinds = new TreeMap<>();
    private final SortedMap<String, List<String>> types = new TreeMap<>();
    private final Deque<Map.Entry<String, JsonNode>> open = new ArrayDeque<>();

    /** The path of an API under {@code /openapi/v3}. */
    static String path(String apiVersion) {
        return (apiVersion.indexOf('/') < 0 ? "api/" : "apis/") + apiVersion;
    }

    /** Adds what the server says of one API. */
    void add(String apiVersion, JsonNode document) {
        document.at("/components/schemas").properties().forEach(schema -> {
            known.putIfAbsent(schema.getKey(), schema.getValue());
            for (JsonNode kind : schema.getValue().path("x-kubernetes-group-version-kind")) {
                String group = kind.path("group").asText();
                String api = group.isEmpty()
                        ? kind.path("version").asText()
                        : group + "/" + kind.path("version").asText();
                if (api.equals(apiVersion)
                        && KINDS.getOrDefault(api, List.of())
                                .contains(kind.path("kind").asText())) {
                    kinds.put(api + " " + kind.path("kind").asText(), schema.getKey());
                }
            }
        });
    }

    /** The whole table. */
    String text() {
        StringJoiner text = new StringJoiner("\n", "", "\n");
        kinds.forEach((kind, type) -> text.add("kind %s %s".formatted(kind, reference(type))));
        while (!open.isEmpty()) {
            Map.Entry<String, JsonNode> next = open.pop();
            fields(next.getKey(), next.getValue());
        }
        types.forEach((type, fields) -> {
            text.add(type);
            fields.forEach(field -> text.add("  " + field));
        });
        return text.toString();
    }

    private void fields(String type, JsonNode schema) {
        if (types.containsKey(type)) {
            return;
        }
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        List<String> fields = new ArrayList<>();
        types.put(type, fields);
        new TreeMap<>(schema.path("properties").properties().stream()
                        .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                .forEach((name, value) -> fields.add(
                        "%s%s %s".formatted(name, required.contains(name) ? "!" : "", type(value, type + "." + name))));
    }

    private String type(JsonNode schema, String path) {
        String reference = reference(schema);
        if (reference != null) {
            return reference(reference);
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return "quantity";
        }
        return switch (schema.path("type").asText()) {
            case "string" -> text(schema);
            case "integer" -> "int64".equals(schema.path("format").asText()) ? "int64" : "int32";
            case "number" -> "number";
            case "boolean" -> "flag";
            case "array" -> "[%s]".formatted(type(schema.path("items"), path));
            case "object" -> object(schema, path);
            default -> "any";
        };
    }

    private String object(JsonNode schema, String path) {
        if (schema.path("additionalProperties").isObject()) {
            return "{%s}".formatted(type(schema.path("additionalProperties"), path));
        }
        if (!schema.path("properties").isObject()) {
            return "any";
        }
        open.push(Map.entry(path, schema));
        return path;
    }

    private static String text(JsonNode schema) {
        return "date-time".equals(schema.path("format").asText()) ? "instant" : "text";
    }

    private static @Nullable String reference(JsonNode schema) {
        if (schema.has(REFERENCE)) {
            return last(schema.path(REFERENCE).asText());
        }
        JsonNode all = schema.path("allOf");
        return all.size() == 1 && all.get(0).has(REFERENCE)
                ? last(all.get(0).path(REFERENCE).asText())
                : null;
    }

    private static String last(String reference) {
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    /** The word for a type of the API. */
    private String reference(String name) {
        String brief = name.replaceFirst("^io\\.k8s\\.(api|apimachinery\\.pkg\\.apis|apimachinery\\.pkg)\\.", "");
        return switch (brief) {
            case "api.resource.Quantity" -> "quantity";
            case "util.intstr.IntOrString" -> "int-or-text";
            case "meta.v1.Time", "meta.v1.MicroTime" -> "instant";
            default -> {
                JsonNode schema =
                        known.getOrDefault(name, com.fasterxml.jackson.databind.node.MissingNode.getInstance());
                if (!schema.path("properties").isObject()) {
                    yield schema.path("type").asText().equals("string") ? text(schema) : "any";
                }
                if (!types.containsKey(brief)) {
                    open.push(Map.entry(brief, schema));
                }
                yield brief;
            }
        };
    }
}
