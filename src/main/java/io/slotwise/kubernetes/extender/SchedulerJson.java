package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Reads and writes kube-scheduler's JSON with a mapper of its own. Nulls are written, and settings of the web framework
 * do not affect the wire format.
 */
public final class SchedulerJson {
    /** The longest request that is read, bytes: some 5,000 whole nodes. */
    public static final int LONGEST = 64 << 20;

    /** The most tokens of a request: some 5,000 whole nodes. Each token takes far more memory than its text. */
    private static final long MOST_TOKENS = 3_000_000;

    private static final int DEEPEST = 100;
    private static final int LONGEST_TEXT = 1 << 20;

    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxTokenCount(MOST_TOKENS)
                            .maxNestingDepth(DEEPEST)
                            .maxStringLength(LONGEST_TEXT)
                            .build())
                    .build())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .build();

    private final int longest;

    public SchedulerJson() {
        this(LONGEST);
    }

    SchedulerJson(int longest) {
        this.longest = longest;
    }

    /**
     * Reads a request to its end.
     *
     * @throws Unreadable if kube-scheduler would not send it
     */
    public <T> T read(InputStream body, Class<T> type) throws Unreadable {
        try {
            byte[] bytes = body.readNBytes(longest + 1);
            if (bytes.length > longest) {
                throw new Unreadable("The request is longer than " + longest + " bytes.");
            }
            T value = MAPPER.readValue(bytes, type);
            if (value == null) {
                throw new Unreadable("The request is null; expected " + type.getSimpleName() + ".");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new Unreadable("The request is no " + type.getSimpleName() + where(e) + ".", e);
        } catch (IOException e) {
            throw new Unreadable("The request could not be read to its end.", e);
        }
    }

    public byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String where(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        return at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    }

    public static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String message) {
            super(message);
        }

        Unreadable(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
