package io.slotwise.web;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.ClusterView;
import io.slotwise.live.PlanningLoop;
import io.slotwise.live.PlanningLoop.Latest;
import io.slotwise.live.Standing;
import io.slotwise.report.JsonReport;
import io.slotwise.report.PlanReport;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/** What is planned, and what is known of one gang. */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class PlanResource {
    private final PlanningLoop loop;
    private final ClusterView view;

    PlanResource(PlanningLoop loop, ClusterView view) {
        this.loop = loop;
        this.view = view;
    }

    /** The last plan, in the shape of {@code slotwise plan -o json}; 503 on a replica that does not plan. */
    @GET
    @Path("/plan")
    public Response plan() {
        Latest latest = loop.latest();
        if (latest == null) {
            return Response.status(Response.Status.SERVICE_UNAVAILABLE)
                    .entity(Map.of("message", "this replica has not planned yet; the leader has"))
                    .build();
        }
        return Response.ok(JsonReport.write(PlanReport.of(
                        latest.plan(), latest.snapshot(), latest.settings().policy())))
                .build();
    }

    /** Why a gang is pending, or what it was promised. */
    @GET
    @Path("/gangs/{namespace}/{name}")
    public Response gang(@PathParam("namespace") String namespace, @PathParam("name") String name) {
        Standing standing = view.standing(new GangId(namespace, name));
        if (standing == null) {
            return Response.status(Response.Status.NOT_FOUND)
                    .entity(Map.of("message", "no gang %s/%s is known".formatted(namespace, name)))
                    .build();
        }
        return Response.ok(GangAnswer.of(standing)).build();
    }
}
