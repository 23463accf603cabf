package io.slotwise.core.planner;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.improve.Improvement;
import io.slotwise.core.planner.improve.RuleRepair;
import io.slotwise.core.planner.preemption.Preemption;
import io.slotwise.core.planner.promises.PromiseGuard;
import io.slotwise.core.planner.purchase.PurchasePlanner;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.planner.queue.StarvationGuard;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.SearchTurns;
import io.slotwise.core.work.Isolated;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.StopSignal;
import io.slotwise.core.work.Workers;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns a snapshot into a plan. A pure function without clock, I/O or randomness (random numbers follow from the
 * snapshot): the same snapshot and policy give the same plan, in the cluster, in a simulation and on the command line.
 *
 * <p>The cycle is the cyclic scheduling scheme of the paper on the cyclic scheme, sections 1.1 and 1.2, with promises:
 * a published window is reserved first, and replaced only by a better one.
 *
 * <p>Where room becomes free, waiting gangs search in the same cycle, and so do gangs whose promises could be improved,
 * with their own room counting as free. Then {@link Improvement} removes windows and places their gangs again where
 * that serves all. Where room is lost (a pod runs late, a node is lost or kept by its owner) {@link PromiseGuard}
 * breaks the fewest promises. Their gangs are planned again in the same cycle, in queue order. They keep their arrival,
 * so that under {@code fifo} no later gang goes before them. A window that is better only because it ends earlier is
 * searched under {@code finish} and {@code runtime}; the other criteria break ties by start and cost. Gangs with a
 * window by anticipation or an online mode keep it.
 *
 * <p>In any queue order a gang that too many later gangs have passed is served first: {@link StarvationGuard}. When
 * every gang has the window that it could have, waiting gangs may displace gangs of lower priority: {@link Preemption}.
 * Then {@link RuleRepair} checks the rules between pods over all windows.
 *
 * <p>Gangs in chains are planned in stages, in queue order as far as each gang comes after its predecessors: {@link
 * io.slotwise.core.planner.chains.Chains}. A whole chain gets its windows in one cycle. A promise that a delay has
 * overtaken moves within its slack, or is given up for that cause.
 *
 * <p>Running gangs are moved last, when every window is reserved, so that no move can take room from another gang:
 * {@link io.slotwise.core.migration.MigrationPlanner}. Where nodes can be bought and the policy asks for it, the plan
 * finally names the nodes to buy, or buys them: {@link PurchasePlanner}.
 *
 * <p>A planner caches what follows from the nodes alone, as long as snapshots come with the same {@link Inventory}.
 * Thread-safe.
 */
public final class Planner {
    private final Policy policy;
    private final PlannerResources resources;

    /** The tariffs of the last snapshot's nodes. A cache: no plan depends on it. */
    private volatile @Nullable PodTariffs knownTariffs;

    /** Creates a planner that works on the caller's thread. */
    public Planner(Policy policy) {
        this(policy, Workers.CALLER);
    }

    /** Creates a planner whose plans do not depend on the workers. */
    public Planner(Policy policy, Workers workers) {
        this(policy, workers, RandomSource.NONE);
    }

    public Planner(Policy policy, Workers workers, RandomSource random) {
        this(policy, new PlannerResources(workers, random, SearchObserver.NONE));
    }

    /**
     * Creates a planner for a policy whose searches may draw random windows. Its plans follow from the snapshot, the
     * policy and the numbers that seeds give.
     *
     * @throws IllegalArgumentException if the policy draws random numbers and there is no random source
     */
    public Planner(Policy policy, PlannerResources resources) {
        if (policy.batch().searching() == Searching.AEP && resources.random().equals(RandomSource.NONE)) {
            throw new IllegalArgumentException(
                    "The search (%s) draws windows for the criterion processor-time: expected a source to draw from."
                            .formatted(Searching.AEP.key()));
        }
        this.policy = policy;
        this.resources = resources;
    }

    public Policy policy() {
        return policy;
    }

    /**
     * Plans one cycle: every gang of the snapshot gets a window, or the reason why it has none. An error in planning
     * leaves out the gang that causes it, and no other gang: {@link CycleIsolation}.
     */
    public Plan plan(Snapshot snapshot) {
        return plan(snapshot, StopSignal.NEVER);
    }

    /**
     * Plans one cycle within a limit. The search for more than one alternative of each gang ends when {@code stop} says
     * so, and {@link Plan#search} tells how far it went. With {@link StopSignal#after} a number of turns the same
     * snapshot gives the same plan again.
     */
    public Plan plan(Snapshot snapshot, StopSignal stop) {
        return plan(snapshot, stop, policy);
    }

    /**
     * Plans only the gangs without a promise, besides the promises that hold: the plan of the same policy with a {@code
     * promises.improve.limit} of 0. Takes a fraction of the time of a plan that improves promises.
     */
    public Plan planNewcomers(Snapshot snapshot, StopSignal stop) {
        return plan(snapshot, stop, policy.withImproveLimit(0));
    }

    private Plan plan(Snapshot snapshot, StopSignal stop, Policy policy) {
        SearchTurns turns = new SearchTurns(stop);
        return Isolated.get(
                () -> attempt(snapshot, turns, policy),
                error ->
                        new CycleIsolation(partSnapshot -> attempt(partSnapshot, turns, policy), snapshot).plan(error));
    }

    private Plan attempt(Snapshot snapshot, SearchTurns turns, Policy attemptPolicy) {
        StarvationGuard passingGuard = new StarvationGuard(policy.queue(), snapshot.requests());
        Set<GangId> first = new HashSet<>(passingGuard.due());
        Cycle cycle = begin(snapshot, attemptPolicy);
        cycle.serveFirst(first);
        Plan plan = complete(cycle, turns);
        while (true) {
            Set<GangId> passed = new HashSet<>(passingGuard.passedBy(plan));
            passed.removeAll(first);
            if (passed.isEmpty()) {
                return withPurchases(plan, cycle, snapshot);
            }
            first.addAll(passed);
            Cycle repeatedCycle = begin(snapshot, attemptPolicy);
            // A gang without a window after being served first has none in a repeated plan either.
            if (Collections.disjoint(repeatedCycle.serveFirst(first), passed)) {
                return withPurchases(plan, cycle, snapshot);
            }
            plan = complete(repeatedCycle, turns);
            cycle = repeatedCycle;
        }
    }

    private Plan withPurchases(Plan plan, Cycle cycle, Snapshot snapshot) {
        Mode mode = policy.provisioning().mode();
        if (mode == Mode.NONE || snapshot.offers().isEmpty()) {
            return plan;
        }
        PurchasePlanner purchases = new PurchasePlanner(policy, snapshot);
        return mode == Mode.PLAN ? purchases.beside(plan, cycle.gangs()) : purchases.buying(plan, cycle.gangs());
    }

    private Cycle begin(Snapshot snapshot, Policy policy) {
        Cycle cycle = new Cycle(snapshot, policy, tariffs(snapshot.cluster().inventory()), resources);
        cycle.keepPromises();
        cycle.order();
        return cycle;
    }

    private static Plan complete(Cycle cycle, SearchTurns turns) {
        for (List<PlanningGang> stage : cycle.stages()) {
            cycle.keepChains(stage);
            cycle.placeOnline(stage);
            cycle.planCyclically(stage, turns);
            cycle.shift(stage);
            cycle.backfill(stage);
        }
        cycle.improve();
        cycle.preempt();
        cycle.mendChains();
        cycle.keepRules();
        cycle.dropTooEarly();
        cycle.migrate();
        return cycle.plan();
    }

    @SuppressWarnings("ReferenceEquality") // Comparing every node would cost as much as computing the tariffs again.
    private PodTariffs tariffs(Inventory inventory) {
        PodTariffs tariffs = knownTariffs;
        if (tariffs == null || tariffs.nodes() != inventory) {
            tariffs = policy.tariffs(inventory);
            knownTariffs = tariffs;
        }
        return tariffs;
    }
}
