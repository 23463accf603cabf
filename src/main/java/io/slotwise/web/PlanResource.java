package io.slotwise.web;

import io.slotwise.live.Host;
import io.slotwise.live.PlanningLoop.Latest;
import io.slotwise.report.JsonReport;
import io.slotwise.report.PlanReport;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** What is planned. */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class PlanResource {
    private final Host host;

    PlanResource(Host host) {
        this.host = host;
    }

    /** The last plan, in the shape of {@code slotwise plan -o json}; 503 on a replica that does not plan. */
    @GET
    @Path("/plan")
    public Response plan() {
        Latest latest = host.latest();
        if (latest == null) {
            return Problem.of(Response.Status.SERVICE_UNAVAILABLE, Problem.NOT_PLANNING);
        }
        return Response.ok(JsonReport.write(PlanReport.of(
                        latest.carriedOut(),
                        latest.snapshot(),
                        latest.settings().policy())))
                .build();
    }
}
