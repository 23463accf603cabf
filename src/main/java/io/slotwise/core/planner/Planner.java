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
 * The function in the middle of Slotwise: a snapshot in, a plan out. No clock, no input or output, no randomness (what
 * is drawn follows from the snapshot): the same snapshot and policy give the same plan, in the cluster, in a simulation
 * and on the command line.
 *
 * <p>The cycle is the cyclic scheduling scheme of the paper on the cyclic scheme, sections 1.1 and 1.2, with promises:
 * a window that was published once is reserved first, and replaced only by a better one.
 *
 * <p>Where room becomes free, a gang whose promise could be improved beside all others searches in the same cycle, its
 * own room counting as free, and so do the gangs that wait. Once all have theirs, windows are taken away and placed
 * anew where that serves all: {@link Improvement}. Where room goes (a pod runs late, a node is lost or kept by its
 * owner) {@link PromiseGuard} breaks the fewest promises, and their gangs are planned again in the same cycle, in the
 * policy's queue order: they keep their arrival, so that under {@code fifo} none that came later goes before them. A
 * window that is better only in that it ends earlier is looked for under {@code finish} and {@code runtime}; the other
 * criteria break their ties by start and cost. Gangs with a window by anticipation or an online mode keep it.
 *
 * <p>Whatever the order, a gang that too many later ones have passed is served before all others: {@link
 * StarvationGuard}. Gangs that wait may displace gangs of lower priority once every gang has the window that it could
 * have: {@link Preemption}. Then all windows are looked at together, whether their pods may be with each other: {@link
 * RuleRepair}.
 *
 * <p>Gangs that start after others are planned in stages, in the order of the queue as far as each comes after those
 * that it is after: {@link io.slotwise.core.planner.chains.Chains}. A whole chain gets its windows in one cycle; a
 * promise that a delay has overtaken moves within its slack, or is given up for that cause.
 *
 * <p>Gangs that run are moved last, when every window is reserved, so that no move can take room from another gang:
 * {@link io.slotwise.core.migration.MigrationPlanner}. Where nodes can be bought and the policy asks for it, the plan
 * says last what one would buy, or buys it: {@link PurchasePlanner}.
 *
 * <p>A planner keeps what follows from the nodes alone while snapshots come with the same {@link Inventory}. Safe for
 * threads.
 */
public final class Planner {
    private final Policy policy;
    private final PlannerResources resources;

    /** What the nodes of the last snapshot charge: no plan depends on whether it is known. */
    private volatile @Nullable PodTariffs knownTariffs;

    /** A planner for this policy that works on the caller's thread. */
    public Planner(Policy policy) {
        this(policy, Workers.CALLER);
    }

    /** A planner for this policy; its plans do not depend on the workers. */
    public Planner(Policy policy, Workers workers) {
        this(policy, workers, RandomSource.NONE);
    }

    public Planner(Policy policy, Workers workers, RandomSource random) {
        this(policy, new PlannerResources(workers, random, SearchObserver.NONE));
    }

    /**
     * A planner for a policy under which searches may draw windows; its plans follow from the snapshot, the policy and
     * the numbers that seeds give.
     *
     * @throws IllegalArgumentException if the policy draws and there is nothing to draw from
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
     * Plans one cycle: every gang of the snapshot gets a window or the reason why it has none. An error while it is
     * planned costs the gang that brings it about its turn, and no other gang's: {@link CycleIsolation}.
     */
    public Plan plan(Snapshot snapshot) {
        return plan(snapshot, StopSignal.NEVER);
    }

    /**
     * Plans one cycle in the time that there is: the search for more than one alternative of each gang ends when {@code
     * stop} says so, and {@link Plan#search} tells how far it went. With {@link StopSignal#after} so many turns the
     * same snapshot gives the same plan again.
     */
    public Plan plan(Snapshot snapshot, StopSignal stop) {
        return plan(snapshot, stop, policy);
    }

    /**
     * Plans the gangs that have no promise, beside the promises that hold: the plan of the same policy with an {@code
     * promises.improve.limit} of 0. It takes a fraction of the time of a plan in which promises are improved.
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

    private Plan attempt(Snapshot snapshot, SearchTurns turns, Policy by) {
        StarvationGuard passingGuard = new StarvationGuard(policy.queue(), snapshot.requests());
        Set<GangId> first = new HashSet<>(passingGuard.due());
        Cycle cycle = begin(snapshot, by);
        cycle.serveFirst(first);
        Plan plan = complete(cycle, turns);
        while (true) {
            Set<GangId> passed = new HashSet<>(passingGuard.passedBy(plan));
            passed.removeAll(first);
            if (passed.isEmpty()) {
                return withPurchases(plan, cycle, snapshot);
            }
            first.addAll(passed);
            Cycle repeatedCycle = begin(snapshot, by);
            // A gang that has no window even so has none in a plan made anew either.
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

    @SuppressWarnings("ReferenceEquality") // To compare every node would take as long as to begin anew.
    private PodTariffs tariffs(Inventory inventory) {
        PodTariffs tariffs = knownTariffs;
        if (tariffs == null || tariffs.nodes() != inventory) {
            tariffs = policy.tariffs(inventory);
            knownTariffs = tariffs;
        }
        return tariffs;
    }
}
