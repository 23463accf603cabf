package io.slotwise.web;

import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.plan.Frontier.Against;
import io.slotwise.core.plan.Frontier.Axes;
import io.slotwise.core.plan.Frontier.Money;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.InvalidField;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.cycle.Replica;
import io.slotwise.web.FrontierAnswers.Question;
import io.slotwise.web.access.CallerAccess;
import io.slotwise.web.access.CallerTurns;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The plans for all waiting gangs between low cost (or high income) and short delay (or small loss of utility), as in
 * {@code slotwise study frontier -o json}. Their sums cover all namespaces, so the caller must be allowed to see all.
 */
@Path("/api/v1/frontier")
@Produces(MediaType.APPLICATION_JSON)
public final class FrontierResource {
    private static final String OF = "of";
    private static final String AGAINST = "against";
    private static final String PLANS = "plans";
    private static final String PROMISES = "promises";
    private static final int USUAL_PLANS = 20;
    private static final int MOST_PLANS = 50;

    private final Replica replica;
    private final FrontierAnswers answers;
    private final CallerTurns turns;

    FrontierResource(Replica replica, FrontierAnswers answers, CallerTurns turns) {
        this.turns = turns;
        this.replica = replica;
        this.answers = answers;
    }

    /** Returns the Pareto set; 503 on a replica that does not plan, 409 if the batch is too large. */
    @GET
    public Response frontier(
            @Context RoutingContext call,
            @QueryParam(OF) @Nullable String money,
            @QueryParam(AGAINST) @Nullable String against,
            @QueryParam(PLANS) @Nullable String plans,
            @QueryParam(PROMISES) @Nullable String promises) {
        CallerAccess access = CallerAccess.of(call);
        access.requireEverything();
        try {
            Question question = question(money, against, plans, promises);
            return turns.take(access.share(), () -> frontier(question));
        } catch (InvalidField e) {
            return Problem.of(Status.BAD_REQUEST, e.getMessage(), e.field());
        } catch (FrontierAnswers.TooLarge e) {
            return Problem.of(Status.CONFLICT, e.getMessage());
        }
    }

    private Response frontier(Question question) {
        Latest latest = replica.latest();
        return latest == null
                ? Problem.of(Status.SERVICE_UNAVAILABLE, Problem.NOT_PLANNING)
                : Response.ok(answers.frontier(latest, question).json()).build();
    }

    /**
     * Parses a question.
     *
     * @throws InvalidField naming the field that cannot be parsed
     */
    static Question question(
            @Nullable String money, @Nullable String against, @Nullable String plans, @Nullable String promises) {
        return new Question(
                new Axes(
                        read(OF, money, Money.COST, key -> Keyed.of(Money.class, key), "cost or income"),
                        read(AGAINST, against, Against.DELAY, key -> Keyed.of(Against.class, key), "delay or utility")),
                read(PLANS, plans, USUAL_PLANS, FrontierResource::number, "a whole number from 2 to " + MOST_PLANS),
                read(PROMISES, promises, false, FrontierResource::open, "kept or open"));
    }

    private static <T> T read(
            String field, @Nullable String text, T usual, Function<String, Optional<T>> known, String expected) {
        return text == null || text.isEmpty()
                ? usual
                : known.apply(text)
                        .orElseThrow(() -> new InvalidField(
                                field,
                                "`%s` (%s) is not valid: expected %s"
                                        .formatted(field, SafeText.value(text), expected)));
    }

    private static Optional<Integer> number(String text) {
        try {
            return Optional.of(Integer.valueOf(PlainDigits.of(text)))
                    .filter(plans -> plans >= 2 && plans <= MOST_PLANS);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Boolean> open(String text) {
        return switch (text) {
            case "kept" -> Optional.of(false);
            case "open" -> Optional.of(true);
            default -> Optional.empty();
        };
    }
}
