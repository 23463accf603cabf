package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.text.SafeText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of Kubernetes' own kinds and of some CustomResourceDefinitions with their allowed values, as the API
 * server knows them. A missing or invalid field is a {@link SchemaFlaw}. Immutable and thread-safe. The table is loaded
 * at its first use, and each type when an object has it.
 *
 * <p>A null counts as absent, as in the API server. Only the types of the status are checked, because a person may
 * write it in part.
 */
public final class ObjectSchema {
    /** The most flaws that are reported; more do not help the reader. */
    private static final int MOST_FLAWS = 100;

    private static final String FIELDS = "fields.txt";
    private static final String RULES = "rules.txt";
    private static final String STATUS = "status";
    /** The rule that a field must be present, which the types of the API do not state for all fields. */
    private static final String REQUIRED = "required";

    private static final ObjectSchema KUBERNETES = read();

    private final Map<String, String> kinds;
    private final Map<String, List<String>> lines;
    private final Map<String, List<String>> rules;
    private final Map<String, Map<String, Field>> types = new HashMap<>();

    private record Field(String type, boolean isRequired, List<FieldRule> rules) {}

    private ObjectSchema(Map<String, String> kinds, Map<String, List<String>> lines, Map<String, List<String>> rules) {
        this.kinds = kinds;
        this.lines = lines;
        this.rules = rules;
    }

    private static ObjectSchema read() {
        Map<String, String> kinds = new HashMap<>();
        Map<String, List<String>> lines = new HashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : lines(FIELDS)) {
            if (line.startsWith("kind ")) {
                kinds.put(
                        line.substring("kind ".length(), line.lastIndexOf(' ')),
                        line.substring(line.lastIndexOf(' ') + 1));
            } else if (line.startsWith(" ")) {
                current.add(line.strip());
            } else {
                current = new ArrayList<>();
                lines.put(line, current);
            }
        }
        Map<String, List<String>> rules = new HashMap<>();
        for (String line : lines(RULES)) {
            int blank = line.indexOf(' ');
            rules.put(
                    line.substring(0, blank), List.of(line.substring(blank + 1).split(" ")));
        }
        return new ObjectSchema(kinds, lines, rules);
    }

    private static List<String> lines(String resource) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(ObjectSchema.class.getResourceAsStream(resource), resource),
                StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A part of other projects' objects that has one of Kubernetes' own types. */
    public enum Part {
        POD_TEMPLATE("core.v1.PodTemplateSpec"),
        TOLERATIONS("[core.v1.Toleration]");

        private final String type;

        Part(String type) {
            this.type = type;
        }
    }

    /** Returns whether all fields of an object's kind are known. */
    public static boolean knows(JsonNode object) {
        return KUBERNETES.kinds.containsKey(
                object.path("apiVersion").asText() + " " + object.path("kind").asText());
    }

    /**
     * Returns why the API server would refuse an object; empty if it would not, or if the fields of its kind are not
     * known.
     */
    public static List<SchemaFlaw> flaws(JsonNode object) {
        String type = KUBERNETES.kinds.get(
                object.path("apiVersion").asText() + " " + object.path("kind").asText());
        Check check = KUBERNETES.new Check(type != null && type.indexOf('/') >= 0);
        if (type == null) {
            check.value(object.path("metadata"), "meta.v1.ObjectMeta", "metadata", true);
        } else {
            check.value(object, type, "", true);
        }
        return check.found;
    }

    /** Returns why the API server would refuse a part of an object at a path. */
    public static List<SchemaFlaw> flaws(Part part, JsonNode value, String path) {
        Check check = KUBERNETES.new Check(false);
        check.value(value, part.type, path, true);
        return check.found;
    }

    private Optional<Map<String, Field>> fields(String type) {
        synchronized (types) {
            Map<String, Field> known = types.get(type);
            if (known == null && lines.containsKey(type)) {
                known = new LinkedHashMap<>();
                for (String line : Objects.requireNonNull(lines.get(type))) {
                    List<String> words = List.of(line.split(" "));
                    String name = words.getFirst().replaceAll("!$", "");
                    List<String> stated = Stream.concat(
                                    words.stream().skip(2), rules.getOrDefault(type + "." + name, List.of()).stream())
                            .toList();
                    known.put(
                            name,
                            new Field(
                                    words.get(1),
                                    words.getFirst().endsWith("!") || stated.contains(REQUIRED),
                                    stated.stream()
                                            .filter(rule -> !rule.equals(REQUIRED))
                                            .map(FieldRule::of)
                                            .toList()));
                }
                types.put(type, known);
            }
            return Optional.ofNullable(known);
        }
    }

    private final class Check {
        private final List<SchemaFlaw> found = new ArrayList<>();
        /** True for CustomResourceDefinitions, where amounts are integers or texts. */
        private final boolean isOfDefinition;

        Check(boolean isOfDefinition) {
            this.isOfDefinition = isOfDefinition;
        }

        /**
         * Checks a value.
         *
         * @param isWhole whether required fields must be present
         */
        void value(JsonNode value, String type, String path, boolean isWhole) {
            if (isAbsent(value) || found.size() >= MOST_FLAWS) {
                return;
            }
            if (type.startsWith("[")) {
                list(value, type.substring(1, type.length() - 1), path, isWhole);
            } else if (type.startsWith("{")) {
                map(value, type.substring(1, type.length() - 1), path, isWhole);
            } else {
                Optional<Map<String, Field>> fields = fields(type);
                if (fields.isPresent()) {
                    object(value, fields.get(), path, isWhole);
                } else {
                    boolean isCut = isOfDefinition && type.equals("quantity") && value.isNumber() && !isWhole(value);
                    String expected = isCut ? "a whole number or a text such as 500m" : expected(value, type);
                    if (expected != null) {
                        found.add(SchemaFlaw.invalid(path, shown(value), expected));
                    }
                }
            }
        }

        /** Checks a field. The message about a wrong type names the allowed values, if there are only some. */
        private void value(JsonNode value, Field field, String path, boolean isWhole) {
            int before = found.size();
            value(value, field.type, path, isWhole);
            if (isWhole
                    && found.size() == before + 1
                    && found.getLast().path().equals(path)
                    && !field.rules.isEmpty()
                    && !field.type.startsWith("{")
                    && !field.type.startsWith("[")) {
                found.set(
                        before,
                        SchemaFlaw.invalid(
                                path, shown(value), field.rules.getLast().expected()));
            }
        }

        private void list(JsonNode value, String type, String path, boolean isWhole) {
            if (!value.isArray()) {
                found.add(SchemaFlaw.invalid(path, shown(value), "a list"));
                return;
            }
            for (int i = 0; i < value.size(); i++) {
                String item = "%s[%d]".formatted(path, i);
                if (value.get(i).isNull()) {
                    found.add(SchemaFlaw.invalid(item, "null", words(type)));
                } else {
                    value(value.get(i), type, item, isWhole);
                }
            }
        }

        private void map(JsonNode value, String type, String path, boolean isWhole) {
            if (!value.isObject()) {
                found.add(SchemaFlaw.invalid(path, shown(value), "keys with their values"));
                return;
            }
            for (Map.Entry<String, JsonNode> entry : value.properties()) {
                String item = "%s[%s]".formatted(path, SafeText.value(entry.getKey()));
                if (entry.getValue().isNull()) {
                    found.add(SchemaFlaw.invalid(item, "null", words(type)));
                } else {
                    value(entry.getValue(), type, item, isWhole);
                }
            }
        }

        private void object(JsonNode value, Map<String, Field> fields, String path, boolean isWhole) {
            if (!value.isObject()) {
                found.add(SchemaFlaw.invalid(path, shown(value), "fields"));
                return;
            }
            for (Map.Entry<String, JsonNode> entry : value.properties()) {
                String name = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                Field field = fields.get(entry.getKey());
                if (field == null) {
                    unknownField(entry, fields, name);
                } else {
                    boolean whole = isWhole && !(path.isEmpty() && name.equals(STATUS));
                    int before = found.size();
                    value(entry.getValue(), field, name, whole);
                    if (whole && before == found.size() && !isAbsent(entry.getValue())) {
                        rules(entry.getValue(), field, name);
                    }
                }
            }
            if (isWhole) {
                fields.forEach((name, field) -> {
                    if (field.isRequired && isAbsent(value.path(name)) && found.size() < MOST_FLAWS) {
                        found.add(SchemaFlaw.missing(path.isEmpty() ? name : path + "." + name, missing(field)));
                    }
                });
            }
        }

        private void unknownField(Map.Entry<String, JsonNode> entry, Map<String, Field> fields, String name) {
            if (found.size() < MOST_FLAWS) {
                found.add(SchemaFlaw.unknown(name, shown(entry.getValue()), entry.getKey(), fields.keySet()));
            }
        }

        private void rules(JsonNode value, Field field, String path) {
            for (FieldRule rule : field.rules) {
                if (field.type.startsWith("{") && !rule.isOfWhole()) {
                    value.properties().stream()
                            .filter(entry -> !isAbsent(entry.getValue()) && !rule.passes(entry.getValue()))
                            .findFirst()
                            .ifPresent(entry -> found.add(SchemaFlaw.invalid(
                                    "%s[%s]".formatted(path, SafeText.value(entry.getKey())),
                                    shown(entry.getValue()),
                                    rule.expected())));
                } else if (field.type.startsWith("[") && !rule.isOfWhole()) {
                    value.valueStream()
                            .filter(item -> !rule.passes(item))
                            .findFirst()
                            .ifPresent(item -> found.add(SchemaFlaw.invalid(path, shown(item), rule.expected())));
                } else if (!rule.passes(value)) {
                    found.add(SchemaFlaw.invalid(path, shown(value), rule.expected()));
                }
            }
        }
    }

    private static String missing(Field field) {
        return field.rules.isEmpty()
                ? field.type.equals("text") ? "a text" : words(field.type)
                : field.rules.getLast().expected();
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static String shown(JsonNode value) {
        return value.isValueNode() ? value.asText() : value.toString();
    }

    /** Returns what is expected of a single value of a type, or null if the value is valid. */
    private static @Nullable String expected(JsonNode value, String type) {
        boolean isFine = switch (type) {
            case "int32" -> isWhole(value) && value.canConvertToInt();
            case "int64" -> isWhole(value) && value.canConvertToLong();
            case "number" -> value.isNumber();
            case "flag" -> value.isBoolean();
            case "quantity" -> FieldRule.isAmount(value);
            case "int-or-text" -> value.isTextual() || (isWhole(value) && value.canConvertToInt());
            case "instant" -> isInstant(value);
            case "any" -> true;
            default -> value.isTextual();
        };
        return isFine ? null : words(type);
    }

    private static boolean isWhole(JsonNode value) {
        return value.isNumber() && value.canConvertToExactIntegral();
    }

    private static boolean isInstant(JsonNode value) {
        if (!value.isTextual() || value.asText().isEmpty()) {
            return value.isTextual();
        }
        try {
            OffsetDateTime.parse(value.asText());
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static String words(String type) {
        return switch (type.startsWith("[") ? "[" : type.startsWith("{") ? "{" : type) {
            case "[" -> "a list";
            case "{" -> "keys with their values";
            case "int32" -> "a whole number between %d and %d".formatted(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "int64" -> "a whole number between %d and %d".formatted(Long.MIN_VALUE, Long.MAX_VALUE);
            case "number" -> "a number";
            case "flag" -> "true or false";
            case "quantity" -> "a number such as 500m, 2 or 4Gi";
            case "int-or-text" -> "a whole number or a text";
            case "instant" -> "an RFC 3339 instant such as 2030-01-01T08:00:00Z";
            case "text" -> "a text (in quotes where it looks like a number, true or false)";
            default -> "fields";
        };
    }
}
