package io.slotwise.web;

import io.slotwise.web.access.AccessDenied;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Converts denied access into an HTTP response. */
@Provider
final class AccessDeniedMapper implements ExceptionMapper<AccessDenied> {
    @Override
    public Response toResponse(AccessDenied denied) {
        return Problem.of(Status.fromStatusCode(denied.status()), denied.getMessage());
    }
}
