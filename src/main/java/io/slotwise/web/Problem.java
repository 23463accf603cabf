package io.slotwise.web;

import io.slotwise.core.text.SafeText;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Error responses. */
final class Problem {
    /** The message of a replica that does not plan. */
    static final String NOT_PLANNING = "this replica is not the leader and has no plan";

    private Problem() {}

    static Response of(Response.Status status, @Nullable String message) {
        return of(status, message, null);
    }

    /** Creates a response; {@code field} is the field of the question that is wrong, or null. */
    static Response of(Response.Status status, @Nullable String message, @Nullable String field) {
        Map<String, String> problem = new LinkedHashMap<>();
        problem.put("message", SafeText.line(Objects.requireNonNullElse(message, status.getReasonPhrase())));
        if (field != null) {
            problem.put("field", field);
        }
        return Response.status(status)
                .type(MediaType.APPLICATION_JSON)
                .entity(problem)
                .build();
    }
}
