package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Splits texts into objects: documents of YAML or JSON, and lists item by item, so that only one object is in memory at
 * a time.
 */
final class ManifestDocuments {
    /**
     * An object as written.
     *
     * @param flaw why no API server would read it, or null
     */
    record Written(ObjectNode object, @Nullable String flaw) {}

    private final ObjectMapper mapper;
    private final ObjectReader trees;
    private final Consumer<Written> object;
    private final Consumer<String> listed;
    private String file = "";
    private int document;
    /** The first key that the current object has twice, with its place; null if there is none. */
    private @Nullable String repeated;

    /**
     * @param object receives every object, with its kind
     * @param listed receives the kind of every typed list
     */
    ManifestDocuments(ObjectMapper mapper, Consumer<Written> object, Consumer<String> listed) {
        this.mapper = mapper;
        trees = RepeatedKeys.reader(mapper, this::repeated);
        this.object = object;
        this.listed = listed;
    }

    /** Reads a text: JSON if it begins like a JSON object, else YAML. */
    void read(InputStream stream, String name) throws IOException {
        file = name;
        document = 0;
        try (JsonParser parser = factory(stream).createParser(stream)) {
            parser.setCodec(mapper);
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                document++;
                if (token == JsonToken.START_OBJECT) {
                    document(parser);
                } else if (token != JsonToken.VALUE_NULL && !isEmpty(parser)) {
                    throw invalid("expected a Kubernetes object");
                }
            }
        } catch (CharConversionException | CharacterCodingException e) {
            throw notText();
        } catch (JsonProcessingException e) {
            if (isNoText(e)) {
                throw notText();
            }
            throw invalid("line %d, column %d: %s: expected YAML or JSON"
                    .formatted(
                            e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                            e.getLocation() == null ? 0 : e.getLocation().getColumnNr(),
                            firstLine(e.getOriginalMessage())));
        }
    }

    private static boolean isNoText(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        return message.contains("CharConversionException") || message.contains("special characters are not allowed");
    }

    private InvalidManifest notText() {
        return new InvalidManifest(file + ": no text: expected YAML or JSON in UTF-8");
    }

    private JsonFactory factory(InputStream stream) throws IOException {
        stream.mark(1 << 12);
        boolean brace = afterBlanks(stream) == '{';
        int next = afterBlanks(stream);
        stream.reset();
        // YAML flow mappings have braces too, but rarely quotes after them. Those that do are valid JSON as well.
        if (brace && (next == '"' || next == '}')) {
            return mapper.getFactory();
        }
        LoaderOptions options = new LoaderOptions();
        // The objects of a whole cluster from kubectl exceed the library's limit of three million characters.
        options.setCodePointLimit(Integer.MAX_VALUE);
        return YAMLFactory.builder()
                .loaderOptions(options)
                .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
                .build();
    }

    private static int afterBlanks(InputStream stream) throws IOException {
        int character;
        do {
            character = stream.read();
        } while (Character.isWhitespace(character));
        return character;
    }

    private static boolean isEmpty(JsonParser parser) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_STRING
                && parser.getText().isEmpty();
    }

    private void repeated(String key, JsonParser parser) {
        if (repeated == null) {
            repeated = "`%s` appears twice, also in line %d: expected it once"
                    .formatted(SafeText.value(key), parser.currentLocation().getLineNr());
        }
    }

    private void document(JsonParser parser) throws IOException {
        ObjectNode object = mapper.createObjectNode();
        List<Written> kindless = new ArrayList<>();
        Set<String> fields = new HashSet<>();
        repeated = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            if (!fields.add(field)) {
                repeated(field, parser);
            }
            if (parser.nextToken() == JsonToken.START_ARRAY && field.equals("items")) {
                String ofList = repeated;
                items(parser, kindless);
                repeated = ofList;
            } else {
                object.set(field, trees.readValue(parser));
            }
        }
        String kind = object.path("kind").asText("");
        boolean isList = fields.contains("items") && !object.has("items");
        if (repeated != null && isList) {
            throw invalid(repeated);
        }
        if (kind.endsWith("List")) {
            String itemKind = kind.substring(0, kind.length() - "List".length());
            listed.accept(itemKind);
            for (Written written : kindless) {
                written.object.put("kind", itemKind);
                written.object.put("apiVersion", object.path("apiVersion").asText(""));
                this.object.accept(written);
            }
        } else if (isList) {
            throw invalid("kind (%s) with items: expected a List".formatted(kind));
        } else {
            this.object.accept(new Written(object, repeated));
        }
    }

    /**
     * Takes the items of a list. Items of a typed list lack their kind, and the list itself may state it after them.
     */
    private void items(JsonParser parser, List<Written> kindless) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            repeated = null;
            JsonNode item = trees.readValue(parser);
            if (!(item instanceof ObjectNode object)) {
                throw invalid("an item (%s) of the list: expected a Kubernetes object"
                        .formatted(SafeText.value(item.toString())));
            }
            Written written = new Written(object, repeated);
            if (object.has("kind")) {
                this.object.accept(written);
            } else {
                kindless.add(written);
            }
        }
    }

    InvalidManifest invalid(String message) {
        return new InvalidManifest("%s: %s".formatted(place(), message));
    }

    String place() {
        return "%s, document %d".formatted(file, document);
    }

    static String firstLine(@Nullable String text) {
        return text == null ? "unreadable" : text.lines().findFirst().orElse("").strip();
    }
}
