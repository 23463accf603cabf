package io.slotwise.web.access;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.util.Map;

/** Answers for resources that send a caller away. */
@Provider
public final class RefusedMapper implements ExceptionMapper<Refused> {
    @Override
    public Response toResponse(Refused refused) {
        return Response.status(refused.status())
                .type(MediaType.APPLICATION_JSON)
                .entity(Map.of("message", String.valueOf(refused.getMessage())))
                .build();
    }
}
