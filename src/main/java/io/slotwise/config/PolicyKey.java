package io.slotwise.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key of the policy for documentation: a value of a group, or a mapping of related values.
 *
 * @param meaning the meaning in one or a few sentences, in Markdown
 * @param parts the accepted values, or those of the keys below it, by full key
 */
public record PolicyKey(String path, String usual, String meaning, Map<String, Takes> parts) {
    private static final Pattern LINE = Pattern.compile("( *)(?:# (.+)|([a-z-]+):(?: (.+))?)");

    /** The group of keys for research. */
    public static final String STUDY = "study";

    /**
     * The accepted values of a key.
     *
     * @param words the words for messages
     * @param schema as JSON schema, with the definitions of the chart's
     * @param isMap whether the key maps names of the admin's choice to such values
     */
    public record Takes(String words, String schema, boolean isMap) {}

    public String group() {
        return path.substring(0, path.indexOf('.'));
    }

    /** Returns the accepted values, or the names of its parts. */
    public String accepted() {
        Takes ownTakes = parts.get(path);
        return ownTakes != null ? ownTakes.words() : PolicyValues.mapping(PolicyValues.below(path, parts.keySet()));
    }

    /** Returns the groups with their descriptions, in order. */
    public static Map<String, String> groups() {
        Map<String, String> groups = new LinkedHashMap<>();
        meanings().forEach((path, line) -> {
            if (line.usual() == null) {
                groups.put(path, line.meaning());
            }
        });
        return groups;
    }

    public static List<PolicyKey> all() {
        PolicyValues values = new PolicyValues(PolicyFile.empty().whole());
        new PolicyReader(values).settings();
        List<PolicyKey> keys = new ArrayList<>();
        meanings().forEach((path, line) -> {
            if (line.usual() != null) {
                keys.add(new PolicyKey(path, line.usual(), line.meaning(), parts(path, values)));
            }
        });
        return keys;
    }

    /** A line of the default policy; {@code usual} of a group is null. */
    private record Line(@Nullable String usual, String meaning) {}

    /** Returns the groups and keys of the default policy, each with the comment above it. */
    private static Map<String, Line> meanings() {
        Map<String, Line> lines = new LinkedHashMap<>();
        String group = "";
        String meaning = "";
        for (String text : Preset.DEFAULT.text().lines().toList()) {
            Matcher line = LINE.matcher(text);
            if (!line.matches()) {
                throw new IllegalStateException("The default policy must not have the line: " + text);
            }
            if (line.group(2) != null) {
                meaning = line.group(2);
            } else {
                boolean isGroup = line.group(4) == null;
                group = isGroup ? line.group(3) : group;
                lines.put(isGroup ? group : group + "." + line.group(3), new Line(line.group(4), meaning));
            }
        }
        return lines;
    }

    private static Map<String, Takes> parts(String path, PolicyValues values) {
        Map<String, Takes> parts = new LinkedHashMap<>();
        values.asked().forEach((full, type) -> {
            if (full.equals(path) || full.startsWith(path + ".")) {
                parts.put(full, new Takes(type.words(), type.schema(), values.isMap(full)));
            }
        });
        return parts;
    }
}
