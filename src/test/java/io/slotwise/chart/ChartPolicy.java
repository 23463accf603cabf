package io.slotwise.chart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.config.PolicyKey;
import io.slotwise.config.Preset;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The policy in the chart's values, made from the program's table of keys. */
final class ChartPolicy {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ChartPolicy() {}

    /**
     * The text below {@code policy:}. Groups are empty, so that the program's defaults apply, and keys are comments.
     */
    static String values() {
        StringBuilder values = new StringBuilder("  # -- %s\n  preset: default\n".formatted(preset()));
        groups().forEach((group, meaning) -> {
            values.append("  # -- %s\n  %s: {}\n".formatted(meaning, group));
            PolicyKey.all().stream()
                    .filter(key -> key.group().equals(group))
                    .forEach(key -> values.append("    # %s\n    # %s: %s\n"
                            .formatted(key.meaning(), key.path().substring(group.length() + 1), key.usual())));
        });
        return values.toString();
    }

    /** The schema of the policy, including the group of researchers. */
    static JsonNode schema() {
        ObjectNode policy = closed();
        ObjectNode preset = properties(policy).putObject("preset").put("description", preset());
        preset.put("type", "string");
        Arrays.stream(Preset.values()).map(Preset::key).forEach(preset.withArray("enum")::add);
        PolicyKey.groups().forEach((group, meaning) -> properties(policy).set(group, group(group, meaning)));
        return policy;
    }

    private static Map<String, String> groups() {
        Map<String, String> groups = PolicyKey.groups();
        groups.remove(PolicyKey.STUDY);
        return groups;
    }

    private static String preset() {
        return "The policy that the others change: %s; docs/reference/policy.md says what each is for."
                .formatted(Arrays.stream(Preset.values())
                        .map(preset -> "`%s`".formatted(preset.key()))
                        .collect(Collectors.joining(", ")));
    }

    private static ObjectNode group(String group, String meaning) {
        ObjectNode schema = closed().put("description", meaning);
        for (PolicyKey key : PolicyKey.all()) {
            if (key.group().equals(group)) {
                key.parts().forEach((path, takes) -> add(schema, group, path, takes));
                ObjectNode described =
                        (ObjectNode) properties(schema).get(key.path().substring(group.length() + 1));
                described.put("description", key.meaning());
            }
        }
        if (group.equals("batch")) {
            ((ObjectNode) properties(schema).get("limit")).put("maxProperties", 1);
        }
        return schema;
    }

    private static void add(ObjectNode above, String prefix, String path, PolicyKey.Takes takes) {
        String[] names = path.substring(prefix.length() + 1).split("\\.", -1);
        ObjectNode here = above;
        for (String name : Arrays.copyOf(names, names.length - 1)) {
            JsonNode below = properties(here).get(name);
            if (below == null) {
                below = closed();
                properties(here).set(name, below);
            }
            here = (ObjectNode) below;
        }
        properties(here).set(names[names.length - 1], type(takes));
    }

    private static JsonNode type(PolicyKey.Takes takes) {
        try {
            JsonNode type = JSON.readTree(takes.schema());
            if (takes.isMap()) {
                return JSON.createObjectNode().put("type", "object").set("additionalProperties", type);
            }
            return type;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(takes.schema(), e);
        }
    }

    private static ObjectNode closed() {
        ObjectNode schema = JSON.createObjectNode().put("type", "object").put("additionalProperties", false);
        schema.putObject("properties");
        return schema;
    }

    private static ObjectNode properties(ObjectNode schema) {
        return (ObjectNode) schema.get("properties");
    }

    /** The schema in the form of its file. */
    static String text(JsonNode schema) throws JsonProcessingException {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        return JSON.writer(new DefaultPrettyPrinter(Separators.createDefaultInstance()
                                        .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                                        .withObjectEmptySeparator("")
                                        .withArrayEmptySeparator(""))
                                .withObjectIndenter(lines)
                                .withArrayIndenter(lines))
                        .writeValueAsString(schema)
                + "\n";
    }
}
