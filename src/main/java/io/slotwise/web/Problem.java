package io.slotwise.web;

import io.slotwise.core.text.Shown;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An answer that says why there is none. */
final class Problem {
    /** What a replica says that does not plan. */
    static final String NOT_PLANNING = "this replica has not planned yet; the leader has";

    private Problem() {}

    static Response of(Response.Status status, @Nullable String message) {
        return Response.status(status)
                .type(MediaType.APPLICATION_JSON)
                .entity(Map.of("message", Shown.line(Objects.requireNonNullElse(message, status.getReasonPhrase()))))
                .build();
    }
}
