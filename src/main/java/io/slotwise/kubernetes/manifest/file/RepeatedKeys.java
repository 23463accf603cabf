package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.deser.std.JsonNodeDeserializer;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Serial;
import java.util.function.BiConsumer;

/** Reads trees, of which it reports the keys that appear twice in one map. The later value counts. */
final class RepeatedKeys extends JsonNodeDeserializer {
    @Serial
    private static final long serialVersionUID = 1;

    /** The listener of a reader; others have none. */
    private interface Listener extends BiConsumer<String, JsonParser> {}

    /** Makes a reader of trees that reports each such key, and the parser at it. */
    static ObjectReader reader(ObjectMapper mapper, BiConsumer<String, JsonParser> report) {
        Listener listener = report::accept;
        return mapper.readerFor(JsonNode.class).withAttribute(Listener.class, listener);
    }

    @Override
    protected void _handleDuplicateField(
            JsonParser parser,
            DeserializationContext context,
            JsonNodeFactory factory,
            String key,
            ObjectNode object,
            JsonNode earlier,
            JsonNode later) {
        if (context.getAttribute(Listener.class) instanceof Listener listener) {
            listener.accept(key, parser);
        }
    }
}
