package io.slotwise.web;

import io.slotwise.core.gang.GangId;
import io.slotwise.report.GangListReport;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** The gangs: all of them in short, one of them in full. Both are answered on every replica, with less where another one plans. */
@Path("/api/v1/gangs")
@Produces(MediaType.APPLICATION_JSON)
public final class GangsResource {
    private final Answers answers;

    GangsResource(Answers answers) {
        this.answers = answers;
    }

    /** The gangs of one namespace, or of all. */
    @GET
    public Response gangs(@QueryParam("namespace") @Nullable String namespace) {
        return Response.ok(
                        new GangListReport(answers.rows(there -> namespace == null || namespace.equals(there))).json())
                .build();
    }

    /** Why a gang is pending, or what it was promised, and what would make it start earlier. */
    @GET
    @Path("/{namespace}/{name}")
    public Response gang(
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            @QueryParam("advice") @DefaultValue("true") boolean advised) {
        try {
            return answers.gang(new GangId(namespace, name), advised)
                    .map(answer -> Response.ok(answer).build())
                    .orElseGet(() ->
                            Problem.of(Response.Status.NOT_FOUND, "no gang %s/%s is known".formatted(namespace, name)));
        } catch (Turn.Busy e) {
            return Problem.of(Response.Status.SERVICE_UNAVAILABLE, e.getMessage());
        }
    }
}
