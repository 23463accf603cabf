package io.slotwise.report;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.slotwise.core.money.Currency;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A builder of a JSON object, with members in the order in which they are put. */
public final class JsonObject {
    /** Reads and writes answers; members that another version has added are passed over. */
    public static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final ObjectWriter WRITER = MAPPER.writer(printer());

    private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

    private static DefaultPrettyPrinter printer() {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        return new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                .withObjectIndenter(lines)
                .withArrayIndenter(lines);
    }

    /** Puts a text, a number, a boolean, a list, a map, a record or an object; null is a JSON null. */
    public JsonObject put(String name, @Nullable Object value) {
        members.put(name, value);
        return this;
    }

    /** Puts a member unless it is null or an empty list. */
    public JsonObject putIfAny(String name, @Nullable Object value) {
        boolean none = value == null || (value instanceof Collection<?> all && all.isEmpty());
        return none ? this : put(name, value);
    }

    /** Puts a list with an object for each element. */
    public <T> JsonObject putEach(String name, Collection<T> all, Function<T, JsonObject> object) {
        return put(name, all.stream().map(object).toList());
    }

    /** Puts the name of the currency unless it is not known. */
    public JsonObject putCurrency(Currency currency) {
        return putIfAny("currency", currency.isNone() ? null : currency.name());
    }

    @JsonValue
    Map<String, @Nullable Object> members() {
        return members;
    }

    /** Returns indented JSON with a final line feed. */
    public String document() {
        try {
            return WRITER.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("A writer into memory must not fail.", e);
        }
    }
}
