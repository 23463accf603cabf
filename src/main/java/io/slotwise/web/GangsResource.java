package io.slotwise.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.core.gang.GangId;
import io.slotwise.report.GangListReport;
import io.slotwise.web.access.CallerAccess;
import io.slotwise.web.access.CallerTurns;
import io.slotwise.web.access.NamespaceScope;
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
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The list of gangs, and the details of one gang. Every replica answers, with less information if another one plans.
 */
@Path("/api/v1/gangs")
@Produces(MediaType.APPLICATION_JSON)
public final class GangsResource {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final GangAnswers answers;
    private final CallerTurns turns;

    GangsResource(GangAnswers answers, CallerTurns turns) {
        this.answers = answers;
        this.turns = turns;
    }

    @GET
    public Response gangs(@Context RoutingContext call, @QueryParam("namespace") @Nullable String namespace) {
        CallerAccess access = CallerAccess.of(call);
        NamespaceScope scope = namespace == null ? access.scope() : access.scopeIn(namespace);
        return Response.ok(turns.take(
                        access.share(),
                        () -> new GangListReport(answers.rows(
                                        there -> namespace == null ? scope.test(there) : namespace.equals(there),
                                        scope))
                                .in(answers.currency())
                                .at(answers.now())
                                .json()))
                .build();
    }

    @GET
    @Path("/{namespace}/{name}")
    public Response gang(
            @Context RoutingContext call,
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            @QueryParam("advice") @DefaultValue("true") boolean advised) {
        CallerAccess access = CallerAccess.of(call);
        NamespaceScope scope = access.scopeIn(namespace);
        return turns.take(access.share(), () -> answers.gang(new GangId(namespace, name), advised, scope))
                .map(answer -> Response.ok(json(answer)).build())
                .orElseGet(() ->
                        Problem.of(Response.Status.NOT_FOUND, "no gang %s/%s is known".formatted(namespace, name)));
    }

    private static String json(GangAnswer answer) {
        try {
            return JSON.writeValueAsString(answer);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("What is known of a gang must be writable.", e);
        }
    }
}
