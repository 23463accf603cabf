package io.slotwise.web;

import io.slotwise.core.plan.Frontier;
import io.slotwise.core.plan.Frontier.Axes;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.FrontierPlanner;
import io.slotwise.core.work.StopSignal;
import io.slotwise.core.work.Workers;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.random.SeededRandom;
import io.slotwise.report.FrontierReport;
import io.slotwise.web.access.Bulkhead;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Computes plans for the waiting gangs that trade money for other goals, such as earlier ends, from the last published
 * snapshot. The computation runs on the caller's thread. One computation runs at a time, for batches of limited size,
 * because it occupies a processor.
 */
public final class FrontierAnswers {
    /** The most gangs in a batch: their alternatives are combined in half a second. */
    static final int MOST_GANGS = 1_000;

    /** The most gangs times nodes, for which {@link #SEARCH_TIME} finds some alternatives of each gang. */
    static final long MOST_SEARCHED = 10_000_000;

    /** The most placements in all plans of an answer: 13 megabytes of JSON. */
    static final long MOST_PLACES = 50_000;

    /** The time after which the search for further alternatives ends. */
    private static final Duration SEARCH_TIME = Duration.ofSeconds(5);

    private static final String ADVICE = "; `slotwise study frontier -f` takes any number";

    private final InstantSource clock;
    private final Bulkhead bulkhead = new Bulkhead();

    public FrontierAnswers(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A request for a frontier.
     *
     * @param plans the most plans in the answer, at least 2
     * @param open whether gangs that have not started may lose their promises
     */
    public record Question(Axes axes, int plans, boolean open) {}

    /** The batch is too large; the message names the limit. */
    static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooLarge(String message) {
            super(message);
        }
    }

    /**
     * Computes the Pareto set.
     *
     * @throws TooLarge if the batch or the answer exceeds a limit
     * @throws Bulkhead.Busy if another computation runs
     */
    FrontierReport frontier(Latest latest, Question question) {
        Snapshot snapshot =
                latest.snapshot().published(latest.plan()).from(clock.instant().getEpochSecond());
        check(snapshot, question.plans());
        Policy policy = latest.settings().policy();
        FrontierPlanner planner = new FrontierPlanner(
                question.open() ? policy.withReplan(Replan.FREE) : policy, Workers.CALLER, SeededRandom.L64X128);
        Frontier frontier = bulkhead.take(() -> planner.of(snapshot, question.axes(), question.plans(), searchEnd()));
        return new FrontierReport(
                frontier, "the gangs that wait", latest.settings().currency());
    }

    private StopSignal searchEnd() {
        Instant end = clock.instant().plus(SEARCH_TIME);
        return _ -> !clock.instant().isBefore(end);
    }

    static void check(Snapshot snapshot, int plans) {
        List<Request> waiting = snapshot.requests();
        long nodes = snapshot.cluster().inventory().size();
        if (waiting.size() > MOST_GANGS || waiting.size() * nodes > MOST_SEARCHED) {
            throw new TooLarge(
                    ("the batch is too large (%d gangs on %d nodes): expected at most %d gangs, and %d gangs times "
                                    + "nodes%s")
                            .formatted(waiting.size(), nodes, MOST_GANGS, MOST_SEARCHED, ADVICE));
        }
        long pods = waiting.stream().mapToLong(request -> request.gang().size()).sum();
        if (pods * plans > MOST_PLACES) {
            throw new TooLarge("the answer is too large (%d plans for %d pods): expected at most %d plans times pods%s"
                    .formatted(plans, pods, MOST_PLACES, ADVICE));
        }
    }
}
