package io.slotwise.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/** The API's OpenAPI description, used to validate documents. */
public final class ApiDescription {
    public static final String FILE = "/api/v1/openapi.yaml";

    public static final JsonNode DOCUMENT = read();

    private static final ObjectMapper JSON = new ObjectMapper();

    private ApiDescription() {}

    private static JsonNode read() {
        try (InputStream text = ApiDescription.class.getResourceAsStream("/META-INF/resources" + FILE)) {
            return new YAMLMapper().readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the violations of a named schema by a document. */
    public static Set<ValidationMessage> violations(String schema, String json) {
        try {
            return violations(DOCUMENT.at("/components/schemas/" + schema), JSON.readTree(json));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a document's violations of a schema that allows no members but the named ones. */
    public static Set<ValidationMessage> violations(JsonNode schema, JsonNode document) {
        ObjectNode whole = JSON.createObjectNode();
        whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        whole.set("allOf", JSON.createArrayNode().add(schema.deepCopy()));
        whole.set("components", DOCUMENT.get("components").deepCopy());
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(
                        closed(whole),
                        SchemaValidatorsConfig.builder()
                                .formatAssertionsEnabled(true)
                                .build())
                .validate(document);
    }

    /** Closes every object schema that names its members. */
    private static JsonNode closed(JsonNode schema) {
        if (schema instanceof ObjectNode object && object.has("properties") && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        schema.forEach(ApiDescription::closed);
        return schema;
    }
}
