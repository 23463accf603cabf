package io.slotwise.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.slotwise.live.settings.LoopSettings;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The admin's policy: a YAML mapping, overlaid with properties. Missing keys are as in its preset. Unknown keys, keys
 * without an effect, wrong types and values out of range are refused with the file, the line, the key, the value and
 * what was expected.
 */
public final class PolicyFile {
    private static final String PREFIX = "slotwise.policy.";
    private static final String LIMIT = "batch.limit";
    private static final String UNSET = "(none)";
    private static final YAMLFactory YAML = new YAMLFactory();

    private final NavigableMap<String, PolicyValue> values;

    private PolicyFile(NavigableMap<String, PolicyValue> values) {
        this.values = values;
    }

    public static LoopSettings read(Path file) {
        return load(file).settings();
    }

    /** Returns the settings of a text; {@code name} names it in messages. */
    public static LoopSettings read(Reader reader, String name) {
        return load(reader, name).settings();
    }

    public static PolicyFile empty() {
        return new PolicyFile(new TreeMap<>());
    }

    /** Reads a file, which can be overlaid before it becomes settings. */
    public static PolicyFile load(Path file) {
        return load(new StringReader(text(file)), file.toString());
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInput("%s: no such file: expected a policy file".formatted(file));
        } catch (CharacterCodingException e) {
            throw new InvalidInput("%s: no text: expected YAML in UTF-8".formatted(file));
        } catch (IOException e) {
            throw new InvalidInput("%s: cannot be read: %s".formatted(file, e.getMessage()));
        }
    }

    /** Reads a text, which can be overlaid before it becomes settings. */
    public static PolicyFile load(Reader reader, String name) {
        NavigableMap<String, PolicyValue> values = new TreeMap<>();
        try (JsonParser parser = YAML.createParser(reader)) {
            JsonToken first = parser.nextToken();
            if (first == null
                    || (first == JsonToken.VALUE_NULL)
                    || (first == JsonToken.VALUE_STRING && text(parser).isEmpty())) {
                return new PolicyFile(values);
            }
            if (first != JsonToken.START_OBJECT) {
                throw new InvalidInput("%s: expected a YAML mapping of policy keys".formatted(name));
            }
            mapping(parser, "", name, values);
            if (parser.nextToken() != null) {
                throw new InvalidInput("%s: a second document: expected one policy".formatted(name));
            }
            return new PolicyFile(values);
        } catch (JsonProcessingException e) {
            throw new InvalidInput("%s, line %d, column %d: %s: expected YAML"
                    .formatted(
                            name,
                            e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                            e.getLocation() == null ? 0 : e.getLocation().getColumnNr(),
                            String.valueOf(e.getOriginalMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("")));
        } catch (IOException e) {
            throw new InvalidInput("%s: cannot be read: %s".formatted(name, e.getMessage()));
        }
    }

    /**
     * Returns this policy with properties on top. The keys are the file's, with dots ({@code batch.limit.cost}) and
     * optionally the prefix {@code slotwise.policy.}.
     */
    public PolicyFile overlay(Map<String, String> properties) {
        NavigableMap<String, PolicyValue> above = new TreeMap<>();
        properties.forEach((property, text) -> above.put(key(property), value(property, text)));
        return new PolicyFile(laid(values, above));
    }

    public LoopSettings settings() {
        PolicyValues policyValues = new PolicyValues(whole());
        LoopSettings settings = new PolicyReader(policyValues).settings();
        policyValues.refuseUnknown(values);
        IdleKeys.refuse(values, policyValues);
        return settings;
    }

    /** Returns the value of every key: this policy's, else its preset's, else the default. */
    NavigableMap<String, PolicyValue> whole() {
        NavigableMap<String, PolicyValue> currentValues =
                laid(Preset.DEFAULT.policy().values, preset().policy().values);
        return laid(currentValues, values);
    }

    /**
     * A value of a policy.
     *
     * @param path its names from the group on; the last one may have dots if the admin chose it
     * @param place its origin: {@code default}, a preset, a file and its line, or a property
     */
    public record Stated(List<String> path, String text, String place, Object content) {
        public String key() {
            return String.join(".", path);
        }
    }

    /** Returns the values of all keys in the order of the reference. */
    public List<Stated> stated() {
        NavigableMap<String, PolicyValue> whole = whole();
        List<Stated> stated = new ArrayList<>();
        for (PolicyKey key : PolicyKey.all()) {
            key.parts().forEach((path, takes) -> {
                List<String> names = List.of(path.split("\\.", -1));
                if (takes.isMap()) {
                    whole.tailMap(path + ".", true).headMap(path + "/", false).forEach((full, value) -> {
                        List<String> named = new ArrayList<>(names);
                        named.add(full.substring(path.length() + 1));
                        stated.add(value.stated(named));
                    });
                } else if (whole.containsKey(path)) {
                    stated.add(whole.get(path).stated(names));
                }
            });
        }
        return stated;
    }

    private Preset preset() {
        PolicyValue namedValue = values.get(PolicyValues.PRESET);
        return namedValue == null ? Preset.DEFAULT : PolicyValues.parsed(PolicyValues.PRESET, namedValue, Preset.TYPE);
    }

    /** Overlays values. There is at most one limit, so a limit replaces those below it. */
    private static NavigableMap<String, PolicyValue> laid(
            NavigableMap<String, PolicyValue> below, NavigableMap<String, PolicyValue> above) {
        NavigableMap<String, PolicyValue> laid = new TreeMap<>(below);
        if (above.keySet().stream().anyMatch(key -> key.startsWith(LIMIT))) {
            laid.keySet().removeIf(key -> key.startsWith(LIMIT));
        }
        laid.putAll(above);
        return laid;
    }

    /** Returns the differences from another policy, by key. */
    public List<Change> changesFrom(PolicyFile other) {
        NavigableMap<String, String> otherTexts = other.texts();
        NavigableMap<String, String> ownTexts = texts();
        SortedSet<String> keys = new TreeSet<>(otherTexts.keySet());
        keys.addAll(ownTexts.keySet());
        return keys.stream()
                .filter(key -> !Objects.equals(otherTexts.get(key), ownTexts.get(key)))
                .map(key -> new Change(key, otherTexts.getOrDefault(key, UNSET), ownTexts.getOrDefault(key, UNSET)))
                .toList();
    }

    /** A key with two values; {@code (none)} if the name is absent. */
    public record Change(String key, String before, String after) {
        @Override
        public String toString() {
            return "%s: %s -> %s".formatted(key, before, after);
        }
    }

    /** Returns the values of all keys as written; a mapping has the values of its keys. */
    private NavigableMap<String, String> texts() {
        NavigableMap<String, String> texts = new TreeMap<>();
        whole().forEach((key, value) -> {
            if (value.form() != PolicyValue.Form.MAPPING) {
                texts.put(key, value.text());
            }
        });
        return texts;
    }

    private static String key(String property) {
        return property.startsWith(PREFIX) ? property.substring(PREFIX.length()) : property;
    }

    private static PolicyValue value(String property, String text) {
        String place = "property " + property;
        if (!text.strip().startsWith("[")) {
            return new PolicyValue(place, text.strip(), List.of(), PolicyValue.Form.SCALAR);
        }
        try (JsonParser parser = YAML.createParser(new StringReader(text))) {
            parser.nextToken();
            return sequence(parser, "", place, place, new TreeMap<>());
        } catch (IOException e) {
            throw new InvalidInput(
                    "%s: the value (%s) is not valid: expected a list such as [a, b]".formatted(place, text));
        }
    }

    private static void mapping(JsonParser parser, String prefix, String name, NavigableMap<String, PolicyValue> values)
            throws IOException {
        if (!prefix.isEmpty()) {
            values.put(
                    prefix.substring(0, prefix.length() - 1),
                    new PolicyValue(place(parser, name), "{}", List.of(), PolicyValue.Form.MAPPING));
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = prefix + parser.currentName();
            String place = place(parser, name);
            PolicyValue earlierValue = values.get(key);
            if (earlierValue != null) {
                throw new InvalidInput("%s: `%s` appears twice, also at %s: expected it once"
                        .formatted(place, key, earlierValue.place()));
            }
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_OBJECT) {
                mapping(parser, key + ".", name, values);
            } else if (token == JsonToken.START_ARRAY) {
                values.put(key, sequence(parser, key, place, name, values));
            } else {
                values.put(key, new PolicyValue(place, text(parser), List.of(), PolicyValue.Form.SCALAR));
            }
        }
    }

    /** Reads a list of plain values. Keys of a mapping in it are below the list's key and the index. */
    private static PolicyValue sequence(
            JsonParser parser, String key, String place, String name, NavigableMap<String, PolicyValue> values)
            throws IOException {
        List<String> items = new ArrayList<>();
        int mappings = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (!key.isEmpty() && parser.currentToken() == JsonToken.START_OBJECT) {
                mapping(parser, "%s[%d].".formatted(key, mappings), name, values);
                mappings++;
                continue;
            }
            if (parser.currentToken() == null || parser.currentToken().isStructStart()) {
                throw new InvalidInput("%s: a list inside a list: expected plain values".formatted(place));
            }
            items.add(text(parser));
        }
        return new PolicyValue(place, "[" + String.join(", ", items) + "]", items, PolicyValue.Form.SEQUENCE);
    }

    private static String text(JsonParser parser) throws IOException {
        String text = parser.currentToken() == JsonToken.VALUE_NULL ? "" : parser.getText();
        return text == null ? "" : text.strip();
    }

    private static String place(JsonParser parser, String name) {
        return "%s, line %d".formatted(name, parser.currentTokenLocation().getLineNr());
    }
}
