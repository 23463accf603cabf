package io.slotwise.web;

import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.QueueOutlook;
import io.slotwise.core.queue.QueueState;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.cycle.Replica;
import io.slotwise.report.QueuesReport;
import io.slotwise.web.access.CallerAccess;
import io.slotwise.web.access.CallerTurns;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * The queues as in {@code slotwise queues -o json}, with their use over time. The sums cover all namespaces, so the
 * caller must be allowed to see all.
 */
@Path("/api/v1/queues")
@Produces(MediaType.APPLICATION_JSON)
public final class QueuesResource {
    private final Replica replica;
    private final CallerTurns turns;
    private @Nullable Answer answer;

    /** The queues of a plan. */
    private record Answer(Latest latest, String json) {}

    QueuesResource(Replica replica, CallerTurns turns) {
        this.turns = turns;
        this.replica = replica;
    }

    /** Returns the queues of the last plan; 503 on a replica that does not plan. */
    @GET
    public Response queues(@Context RoutingContext call) {
        CallerAccess access = CallerAccess.of(call);
        access.requireEverything();
        return turns.take(access.share(), this::queues);
    }

    private Response queues() {
        Latest latest = replica.latest();
        return latest == null
                ? Problem.of(Response.Status.SERVICE_UNAVAILABLE, Problem.NOT_PLANNING)
                : Response.ok(once(latest)).build();
    }

    /** Returns the queues of a plan, which are computed once for all callers. */
    @SuppressWarnings("ReferenceEquality") // Another object is another plan.
    private synchronized String once(Latest latest) {
        Answer last = answer;
        if (last == null || last.latest != latest) {
            last = new Answer(latest, json(latest));
            answer = last;
        }
        return last.json;
    }

    static String json(Latest latest) {
        Snapshot snapshot = latest.snapshot();
        Plan plan = latest.carriedOutPlan();
        QueuesReport report = QueuesReport.of(snapshot, plan);
        QueueState plannedState = snapshot.queues(plan);
        return plannedState == null
                ? report.json()
                : report.json(new QueueOutlook(plannedState, plan.now(), plan.horizonEnd()));
    }
}
