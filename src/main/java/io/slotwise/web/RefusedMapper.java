package io.slotwise.web;

import io.slotwise.web.access.Refused;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Answers for resources that send a caller away. */
@Provider
final class RefusedMapper implements ExceptionMapper<Refused> {
    @Override
    public Response toResponse(Refused refused) {
        return Problem.of(Status.fromStatusCode(refused.status()), refused.getMessage());
    }
}
