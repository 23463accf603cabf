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
 * Writes the table of fields that {@link io.slotwise.kubernetes.manifest.schema.ObjectSchema} reads, from an API
 * server's {@code /openapi/v3}: kinds first, then each type with its fields by name.
 *
 * <p>For a CustomResourceDefinition the table also has its schema's rules for single values, but not the status.
 * Templates of pods, Jobs and PersistentVolumeClaims in it are Kubernetes' own types. For Slotwise's own definitions
 * the table has only fields and their types, since the planner itself checks their values.
 */
final class SchemaText {
    /** The kinds that are read, by their API. */
    static final Map<String, List<String>> KINDS = Map.ofEntries(
            Map.entry(
                    "v1",
                    List.of(
                            "LimitRange",
                            "Namespace",
                            "Node",
                            "PersistentVolume",
                            "PersistentVolumeClaim",
                            "Pod",
                            "ResourceQuota")),
            Map.entry("apps/v1", List.of("Deployment", "ReplicaSet", "StatefulSet")),
            Map.entry("batch/v1", List.of("Job")),
            Map.entry("jobset.x-k8s.io/v1alpha2", List.of("JobSet")),
            Map.entry("leaderworkerset.x-k8s.io/v1", List.of("LeaderWorkerSet")),
            Map.entry("node.k8s.io/v1", List.of("RuntimeClass")),
            Map.entry("policy/v1", List.of("PodDisruptionBudget")),
            Map.entry(
                    "resource.k8s.io/v1",
                    List.of("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")),
            Map.entry("scheduling.k8s.io/v1", List.of("PriorityClass")),
            Map.entry("scheduling.k8s.io/v1beta1", List.of("PodGroup")),
            Map.entry("slotwise.io/v1alpha1", List.of("Ledger", "Queue", "Reservation", "RunHistory")),
            Map.entry("storage.k8s.io/v1", List.of("CSINode", "StorageClass")));

    private static final String REFERENCE = "$ref";
    private static final String KUBERNETES = "io.k8s.";
    private static final String OURS = "slotwise.io/";

    private final SortedMap<String, JsonNode> known = new TreeMap<>();
    private final SortedMap<String, String> kinds = new TreeMap<>();
    /** The words for the kinds of CustomResourceDefinitions. */
    private final Map<String, String> definitions = new TreeMap<>();

    private final SortedMap<String, List<String>> types = new TreeMap<>();
    private final Deque<Map.Entry<String, JsonNode>> open = new ArrayDeque<>();

    /** The path of an API under {@code /openapi/v3}. */
    static String path(String apiVersion) {
        return (apiVersion.indexOf('/') < 0 ? "api/" : "apis/") + apiVersion;
    }

    /** Adds an API of the server, and returns whether the API has all its kinds already. */
    boolean add(String apiVersion, JsonNode document) {
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
                    if (!schema.getKey().startsWith(KUBERNETES)) {
                        definitions.put(
                                schema.getKey(), api + "." + kind.path("kind").asText());
                    }
                }
            }
        });
        return KINDS.getOrDefault(apiVersion, List.of()).stream()
                .allMatch(kind -> kinds.containsKey(apiVersion + " " + kind));
    }

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
                .forEach((name, value) -> fields.add(line(type, name, value, required.contains(name))));
    }

    private String line(String type, String name, JsonNode value, boolean isRequired) {
        boolean isOfDefinition = type.indexOf('/') >= 0;
        if (definitions.containsValue(type) && name.equals("status")) {
            return name + " any";
        }
        boolean isMissed = isRequired && !type.startsWith(OURS) && !(isOfDefinition && value.has("default"));
        String rules = isOfDefinition && !type.startsWith(OURS) ? rules(value) : "";
        return "%s%s %s%s".formatted(name, isMissed ? "!" : "", type(value, type + "." + name), rules);
    }

    /** The schema's rules for a value, each after a space. */
    private static String rules(JsonNode schema) {
        StringBuilder rules = new StringBuilder();
        if (schema.has("minimum") || schema.has("maximum")) {
            rules.append(" %d..%d"
                    .formatted(
                            schema.path("minimum").asLong(Long.MIN_VALUE),
                            schema.path("maximum")
                                    .asLong(
                                            "int32".equals(schema.path("format").asText())
                                                    ? Integer.MAX_VALUE
                                                    : Long.MAX_VALUE)));
        }
        if (schema.has("enum")) {
            StringJoiner words = new StringJoiner("|", " one-of:", "");
            schema.path("enum").forEach(word -> words.add(word.asText()));
            rules.append(words);
        }
        rules.append(schema.path("minLength").asInt() > 0 ? " text" : "");
        rules.append(
                schema.has("maxLength") ? " at-most:" + schema.path("maxLength").asInt() : "");
        rules.append(
                schema.has("pattern") && !isOfBoth(schema)
                        ? " pattern:" + schema.path("pattern").asText()
                        : "");
        rules.append(schema.path("minItems").asInt() > 0 ? " items" : "");
        rules.append(
                schema.has("maxItems")
                        ? " items-at-most:" + schema.path("maxItems").asInt()
                        : "");
        return schema.has("items") ? rules + rules(schema.path("items")) : rules.toString();
    }

    /** Returns whether a value may be an integer or a string. */
    private static boolean isOfBoth(JsonNode schema) {
        return schema.path("x-kubernetes-int-or-string").asBoolean();
    }

    private String type(JsonNode schema, String path) {
        String reference = reference(schema);
        if (reference != null) {
            return reference(reference);
        }
        if (isOfBoth(schema)) {
            return schema.has("pattern") ? "quantity" : "int-or-text";
        }
        return switch (schema.path("type").asText()) {
            case "string" -> path.startsWith(OURS) ? "text" : text(schema);
            case "integer" -> "int32".equals(schema.path("format").asText()) ? "int32" : "int64";
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
        String own = kubernetesOwn(schema.path("properties").path("spec").path("properties"));
        if (own != null && path.indexOf('/') >= 0) {
            return reference(own);
        }
        open.push(Map.entry(path, schema));
        return path;
    }

    /** Kubernetes' own type that a definition has copied, by the fields of its specification. Null if none. */
    private static @Nullable String kubernetesOwn(JsonNode spec) {
        if (spec.has("containers")) {
            return "io.k8s.api.core.v1.PodTemplateSpec";
        }
        if (spec.has("parallelism") && spec.has("template")) {
            return "io.k8s.api.batch.v1.JobTemplateSpec";
        }
        return spec.has("accessModes") ? "io.k8s.api.core.v1.PersistentVolumeClaim" : null;
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
        String brief = definitions.getOrDefault(
                name, name.replaceFirst("^io\\.k8s\\.(api|apimachinery\\.pkg\\.apis|apimachinery\\.pkg)\\.", ""));
        return switch (brief) {
            case "api.resource.Quantity" -> "quantity";
            case "util.intstr.IntOrString" -> "int-or-text";
            case "meta.v1.Time", "meta.v1.MicroTime" -> "instant";
            default -> {
                JsonNode schema =
                        known.getOrDefault(name, com.fasterxml.jackson.databind.node.MissingNode.getInstance());
                boolean isEmpty = name.startsWith("io.k8s.api.")
                        && schema.path("type").asText().equals("object");
                if (!schema.path("properties").isObject() && !isEmpty) {
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
