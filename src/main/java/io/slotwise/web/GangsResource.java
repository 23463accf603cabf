package io.slotwise.web;

import io.slotwise.core.gang.GangId;
import io.slotwise.report.GangListReport;
import io.slotwise.web.access.Sight;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The gangs: all of them in short, one of them in full. Both are answered on every replica, with less where another one plans. */
@Path("/api/v1/gangs")
@Produces(MediaType.APPLICATION_JSON)
public final class GangsResource {
    private final Answers answers;

    GangsResource(Answers answers) {
        this.answers = answers;
    }

    /** The gangs of one namespace, or of all that the caller sees. */
    @GET
    public Response gangs(@Context RoutingContext call, @QueryParam("namespace") @Nullable String namespace) {
        return Response.ok(new GangListReport(answers.rows(asked(Sight.of(call), namespace))).json())
                .build();
    }

    private static Predicate<String> asked(Sight sight, @Nullable String namespace) {
        if (namespace == null) {
            return sight.lens()::shows;
        }
        sight.requireGangsOf(namespace);
        return namespace::equals;
    }

    /** Why a gang is pending, or what it was promised, and what would make it start earlier. */
    @GET
    @Path("/{namespace}/{name}")
    public Response gang(
            @Context RoutingContext call,
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            @QueryParam("advice") @DefaultValue("true") boolean advised) {
        Sight.of(call).requireGangsOf(namespace);
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
