package io.slotwise.web;

import io.slotwise.web.access.AccessDenied;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Answers for resources that send a caller away. */
@Provider
final class AccessDeniedMapper implements ExceptionMapper<AccessDenied> {
    @Override
    public Response toResponse(AccessDenied denied) {
        return Problem.of(Status.fromStatusCode(denied.status()), denied.getMessage());
    }
}
