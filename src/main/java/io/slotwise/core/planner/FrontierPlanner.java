package io.slotwise.core.planner;

import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.plan.Frontier;
import io.slotwise.core.plan.Frontier.Axes;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Anticipating;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.StopSignal;
import io.slotwise.core.work.Workers;

/**
 * Computes the frontier of a snapshot's batch between money and delay, or loss of utility: the Pareto set over the
 * alternatives that the cyclic scheme finds for each gang. A pure function like {@link Planner}.
 *
 * <p>All waiting gangs form one batch, regardless of the policy's split. Each gang searches as many alternatives as the
 * policy allows. Promises stay or are improved as in a cycle. The steps of a cycle after the combination (shifts,
 * backfilling, displacing, moves) and before it (serving passed gangs first) are left out, and so is a limit on the
 * batch.
 */
public final class FrontierPlanner {
    private final Policy policy;
    private final PlannerResources resources;

    public FrontierPlanner(Policy policy, Workers workers, RandomSource random) {
        this.policy = policy.withBatch(policy.batch()
                .serving(Objective.MIN_COST, Limit.NONE)
                .withSplit(Split.NONE)
                .withAnticipating(Anticipating.NOT));
        this.resources = new PlannerResources(workers, random, SearchObserver.NONE);
    }

    /**
     * Returns the Pareto set.
     *
     * @param points the maximum number of points, at least 2
     * @param stop asked between the turns of the search whether to search more than one alternative of each gang. The
     *     {@linkplain Frontier#notes notes} say where the search ended.
     */
    public Frontier of(Snapshot snapshot, Axes axes, int points, StopSignal stop) {
        Cycle cycle =
                new Cycle(snapshot, policy, policy.tariffs(snapshot.cluster().inventory()), resources);
        cycle.keepPromises();
        cycle.order();
        cycle.stages().forEach(cycle::placeOnline);
        return cycle.frontier(axes, points, stop);
    }
}
