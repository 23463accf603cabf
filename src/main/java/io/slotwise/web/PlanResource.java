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
import java.util.function.Function;

/** What is planned. */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class PlanResource {
    private final Replica host;
    private final CallerTurns turns;

    PlanResource(Replica host, CallerTurns turns) {
        this.turns = turns;
        this.host = host;
    }

    /**
     * The last plan, in the shape of {@code slotwise plan -o json}; 503 on a replica that does not plan. A caller who
     * cannot see all namespaces gets the plan of theirs, with its totals and without notes on what is planned.
     */
    @GET
    @Path("/plan")
    public Response plan(@Context RoutingContext call) {
        CallerAccess access = CallerAccess.of(call);
        NamespaceScope lens = access.lens();
        return turns.take(access.share(), () -> plan(lens));
    }

    private Response plan(NamespaceScope lens) {
        Latest latest = host.latest();
        return latest == null
                ? Problem.of(Response.Status.SERVICE_UNAVAILABLE, Problem.NOT_PLANNING)
                : Response.ok(JsonReport.write(PlanReport.of(
                                seen(latest, lens),
                                latest.snapshot(),
                                latest.settings().policy(),
                                latest.settings().currency())))
                        .build();
    }

    static Plan seen(Latest latest, NamespaceScope lens) {
        Plan plan = latest.carriedOut();
        return lens.everything()
                ? plan
                : new Plan(
                        plan.now(),
                        plan.horizonEnd(),
                        only(plan.windows(), planned -> planned.gang().id(), lens).stream()
                                .map(planned -> planned.asSeen(lens))
                                .toList(),
                        only(plan.pending(), Pending::gang, lens).stream()
                                .map(pending -> pending.asSeen(lens))
                                .toList(),
                        only(plan.broken(), BrokenPromise::gang, lens).stream()
                                .map(broken -> broken.asSeen(lens))
                                .toList(),
                        lens.notes(),
                        only(plan.choices(), ChoiceExplanation::gang, lens),
                        only(plan.moves(), move -> move.gang().id(), lens).stream()
                                .map(move -> move.asSeen(lens))
                                .toList(),
                        only(plan.domains(), DomainComparison::gang, lens),
                        SearchExtent.NONE,
                        only(plan.buying(), buying -> buying.gang().id(), lens));
    }

    private static <T> List<T> only(List<T> rows, Function<T, GangId> gang, NamespaceScope lens) {
        return rows.stream()
                .filter(row -> lens.test(gang.apply(row).namespace()))
                .toList();
    }
}
