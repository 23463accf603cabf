package io.slotwise.web;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.cycle.Replica;
import io.slotwise.report.JsonReport;
import io.slotwise.report.PlanReport;
import io.slotwise.web.access.CallerAccess;
import io.slotwise.web.access.CallerTurns;
import io.slotwise.web.access.NamespaceScope;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The current plan. */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class PlanResource {
    private final Replica replica;
    private final CallerTurns turns;

    PlanResource(Replica replica, CallerTurns turns) {
        this.turns = turns;
        this.replica = replica;
    }

    /**
     * Returns the last plan as in {@code slotwise plan -o json}; 503 on a replica that does not plan. A caller with
     * access to some namespaces gets the plan of those, with their totals and without notes.
     */
    @GET
    @Path("/plan")
    public Response plan(@Context RoutingContext call) {
        CallerAccess access = CallerAccess.of(call);
        NamespaceScope scope = access.scope();
        return turns.take(access.share(), () -> plan(scope));
    }

    private Response plan(NamespaceScope scope) {
        Latest latest = replica.latest();
        return latest == null
                ? Problem.of(Response.Status.SERVICE_UNAVAILABLE, Problem.NOT_PLANNING)
                : Response.ok(JsonReport.write(PlanReport.of(
                                seen(latest, scope),
                                latest.snapshot(),
                                latest.settings().policy(),
                                latest.settings().currency())))
                        .build();
    }

    static Plan seen(Latest latest, NamespaceScope scope) {
        Plan plan = latest.carriedOutPlan();
        return scope.everything()
                ? plan
                : new Plan(
                        plan.now(),
                        plan.horizonEnd(),
                        only(plan.windows(), planned -> planned.gang().id(), scope).stream()
                                .map(planned -> planned.asSeen(scope))
                                .toList(),
                        only(plan.pending(), Pending::gang, scope).stream()
                                .map(pending -> pending.asSeen(scope))
                                .toList(),
                        only(plan.broken(), BrokenPromise::gang, scope).stream()
                                .map(broken -> broken.asSeen(scope))
                                .toList(),
                        scope.notes(),
                        only(plan.choices(), ChoiceExplanation::gang, scope),
                        only(plan.moves(), move -> move.gang().id(), scope).stream()
                                .map(move -> move.asSeen(scope))
                                .toList(),
                        only(plan.domains(), DomainComparison::gang, scope),
                        SearchExtent.NONE,
                        only(plan.buying(), advice -> advice.gang().id(), scope),
                        Map.of());
    }

    private static <T> List<T> only(List<T> rows, Function<T, GangId> gang, NamespaceScope scope) {
        return rows.stream()
                .filter(row -> scope.test(gang.apply(row).namespace()))
                .toList();
    }
}
