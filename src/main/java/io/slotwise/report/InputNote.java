package io.slotwise.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reader should know of the objects that were planned.
 *
 * @param reason what kind of thing, such as {@code UnknownField}
 * @param kind of the object that it is about
 * @param subject the object as {@code namespace/name}, or its name if it has no namespace; several with commas between;
 *     null: no single one
 * @param field of the object, or of the objects that name it; null: it is about none
 * @param consequence what follows for the plan; null: the message alone says it
 * @param message one sentence with all of it
 */
public record InputNote(
        String reason,
        String kind,
        @Nullable String subject,
        @Nullable String field,
        @Nullable String consequence,
        String message) {
    /** Writes a member {@code inputNotes}, unless there are none. */
    static void write(JsonGenerator json, List<InputNote> notes) throws IOException {
        if (notes.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("inputNotes");
        for (InputNote note : notes) {
            json.writeStartObject();
            json.writeStringField("reason", note.reason());
            json.writeStringField("kind", note.kind());
            json.writeStringField("subject", note.subject());
            json.writeStringField("field", note.field());
            json.writeStringField("consequence", note.consequence());
            json.writeStringField("message", note.message());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
