package io.slotwise.web;

import io.slotwise.web.access.Bulkhead;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Converts a lack of free capacity into an HTTP response. */
@Provider
final class BusyMapper implements ExceptionMapper<Bulkhead.Busy> {
    @Override
    public Response toResponse(Bulkhead.Busy busy) {
        return Problem.of(Response.Status.SERVICE_UNAVAILABLE, busy.getMessage());
    }
}
