package io.slotwise.web;

import io.slotwise.core.text.Shown;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An answer that says why there is none. */
final class Problem {
    /** What a replica says that does not plan. */
    static final String NOT_PLANNING = "this replica is not the leader and has no plan";

    private Problem() {}

    static Response of(Response.Status status, @Nullable String message) {
        return of(status, message, null);
    }

    /** One that is about a field of the question; null: about none. */
    static Response of(Response.Status status, @Nullable String message, @Nullable String field) {
        Map<String, String> problem = new LinkedHashMap<>();
        problem.put("message", Shown.line(Objects.requireNonNullElse(message, status.getReasonPhrase())));
        if (field != null) {
            problem.put("field", field);
        }
        return Response.status(status)
                .type(MediaType.APPLICATION_JSON)
                .entity(problem)
                .build();
    }
}
