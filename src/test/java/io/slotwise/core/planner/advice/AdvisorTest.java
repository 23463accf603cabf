package io.slotwise.core.planner.advice;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Policy.Split.Choice;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.RequestChange;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Interval;
import io.slotwise.core.work.RandomSource;
import io.slotwise.testing.BruteForce;
import io.slotwise.testing.Occupations;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every advice on random clusters. Proves that it has the effect that it states, and that no smaller change of its kind
 * helps.
 */
class AdvisorTest {
    private static final long NOW = RandomClusters.NOW;
    private static final int CLUSTERS = 25;

    /** A gang of a published plan, with the inputs to try a change. */
    private record Case(Snapshot snapshot, Policy policy, Gang gang, long before) {
        /** The cluster with the windows of all other gangs. */
        Cluster beside() {
            List<Occupation> room = new ArrayList<>(snapshot.cluster().occupations());
            for (Request other : snapshot.requests()) {
                Promise promise = other.promise();
                if (promise != null && !other.gang().id().equals(gang.id())) {
                    room.addAll(Occupations.in(promise.window(), other.gang(), "promised"));
                }
            }
            return new Cluster(snapshot.cluster().inventory(), room);
        }

        /** Returns whether the changed gang has a window that starts sooner, by trying all. */
        boolean helps(Gang changed) {
            BruteForce.Best best = BruteForce.best(beside(), policy, changed.wanting(Criterion.START), NOW);
            return best != null && best.start() < before;
        }

        /** The gang's plan with this change, while no other window may change. */
        Optional<Planned> taken(RequestChange change) {
            List<Request> requests = new ArrayList<>();
            for (Request request : snapshot.requests()) {
                if (request.gang().id().equals(gang.id())) {
                    requests.add(new Request(change.of(gang), null));
                } else if (request.promise() != null) {
                    requests.add(request);
                }
            }
            Policy still = policy.withReplan(Replan.NEVER);
            Snapshot changed = snapshot.withRequests(requests);
            Plan plan = new Planner(still).plan(changed);
            assertThat(PlanChecker.faults(changed, still, plan)).isEmpty();
            return plan.windows().stream()
                    .filter(planned -> planned.gang().id().equals(gang.id()))
                    .findFirst();
        }

        /** The gang with the next smaller change, or empty if there is none. */
        Optional<Gang> lessThan(RequestChange change) {
            return switch (change) {
                case RequestChange.Budget budget ->
                    Optional.of(
                            new RequestChange.Budget(new Money(budget.total().micros() - 1)).of(gang));
                case RequestChange.MaxPrice price ->
                    Optional.of(new RequestChange.MaxPrice(
                                    new Money(price.slotPrice().micros() - 1))
                            .of(gang));
                case RequestChange.Deadline deadline -> Optional.of(gang.endingBy(deadline.second() - 1));
                case RequestChange.Size size ->
                    size.pods() + 1 == gang.size() ? Optional.empty() : Optional.of(gang.first(size.pods() + 1));
                case RequestChange.Lasting runtime ->
                    runtime.seconds() + 1 == gang.runtime()
                            ? Optional.empty()
                            : Optional.of(gang.lasting(runtime.seconds() + 1));
                case RequestChange.MaxPerNode most -> Optional.of(gang.spread(most.pods() - 1));
                case RequestChange.BudgetAndCriterion _,
                        RequestChange.Wanting _,
                        RequestChange.AnyTopology _,
                        RequestChange.Loose _,
                        RequestChange.AnyStart _,
                        RequestChange.NamespaceBudget _,
                        RequestChange.QueueBudget _ -> Optional.empty();
            };
        }

        /** The gang with the largest change of each kind, by its key. */
        TreeMap<String, Gang> largest() {
            TreeMap<String, Gang> changes = new TreeMap<>();
            Budget budget = gang.budget();
            if (budget.total() != null) {
                changes.put("budget", gang.paying(new Budget(null, budget.slotPrice())));
            }
            if (budget.slotPrice() != null) {
                changes.put("max-price", gang.paying(new Budget(budget.total(), null)));
            }
            changes.put("deadline", gang.endingBy(Interval.FOREVER));
            if (gang.isUniform()) {
                changes.put("gang-size", gang.first(1));
            }
            changes.put("runtime", gang.lasting(1));
            changes.put("max-per-node", gang.spread(Integer.MAX_VALUE));
            changes.put("topology", gang.within(Topology.ANYWHERE));
            changes.put("lockstep", gang.loose());
            changes.put("earliest-start", gang.startingFrom(Long.MIN_VALUE));
            return changes;
        }
    }

    private static List<Case> cases(int seed, Criterion criterion, boolean mixed) {
        RandomGenerator random = seeded(seed);
        RandomClusters clusters = new RandomClusters(random);
        Policy whole = policy(RandomClusters.SPAN, random.nextInt(3) == 0 ? random.nextInt(8) : 0);
        // Under sub-batches the other gangs matter beyond their room.
        Policy policy =
                seed % 5 == 4 ? whole.withBatch(whole.batch().withSplit(new Split(2, 1_000_000, Choice.ORDER))) : whole;
        Cluster cluster = clusters.cluster(1 + random.nextInt(4));
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Gang gang = mixed ? clusters.mixedGang("g" + i, criterion) : clusters.gang("g" + i, criterion);
            requests.add(new Request(gang, null));
        }
        Snapshot snapshot = new Snapshot(NOW, cluster, requests, List.of());
        Snapshot published = snapshot.published(new Planner(policy).plan(snapshot));
        return published.requests().stream()
                .map(request -> new Case(
                        published,
                        policy,
                        request.gang(),
                        request.promise() == null
                                ? Interval.FOREVER
                                : request.promise().window().start()))
                .toList();
    }

    private static List<Advice> advice(Case one) {
        return advice(one, null);
    }

    private static List<Advice> advice(Case one, @Nullable RuntimeSource source) {
        return new Advisor(one.policy(), RandomSource.NONE)
                .advise(one.snapshot(), one.gang().id(), source);
    }

    private static List<Advice> ofRuntime(List<Advice> advice) {
        return advice.stream()
                .filter(one -> one.change() instanceof RequestChange.Lasting)
                .toList();
    }

    /** Five runs, of which half ended within {@code typical}, and most within {@code within}. */
    private static RuntimeSource seen(long typical, long within, boolean stated) {
        return new RuntimeSource(
                new RecurringWorkload("k", "w"),
                new Prediction(5, typical, 900_000, within, Prediction.Basis.WORKLOAD),
                stated);
    }

    @ParameterizedTest
    @EnumSource(Criterion.class)
    void followedAdviceHasItsStatedEffect(Criterion criterion) {
        Set<String> told = new TreeSet<>();
        for (int seed = 0; seed < CLUSTERS; seed++) {
            for (Case one : cases(seed, criterion, seed % 4 == 3)) {
                for (Advice advice : advice(one)) {
                    String where = "seed %d, %s: %s".formatted(seed, one.gang().id(), advice);
                    Planned planned = one.taken(advice.change()).orElseThrow(() -> new AssertionError(where));

                    assertThat(planned.window()).as(where).isEqualTo(advice.window());
                    assertThat(advice.window().start()).as(where).isLessThan(one.before());
                    told.add(advice.change().key());
                }
            }
        }
        assertThat(told).contains("gang-size", "runtime");
    }

    @Test
    void noRuntimeBelowWhatPastRunsTookIsAdvised() {
        int told = 0;
        for (int seed = 0; seed < CLUSTERS; seed++) {
            for (Case one : cases(seed, Criterion.START, false)) {
                for (Advice advice : ofRuntime(advice(one))) {
                    long runtime = advice.change().of(one.gang()).runtime();

                    assertThat(ofRuntime(advice(one, seen(1, runtime, false)))).containsExactly(advice);
                    assertThat(ofRuntime(advice(one, seen(1, runtime + 1, false))))
                            .as("seed %d, %s", seed, one.gang())
                            .isEmpty();
                    told++;
                }
            }
        }
        assertThat(told).isGreaterThan(10);
    }

    @Test
    void adviceCorrectsARuntimeThatPastRunsContradictAndGivesItsWindow() {
        int shorter = 0;
        int longer = 0;
        for (int seed = 0; seed < CLUSTERS; seed++) {
            for (Case one : cases(seed, Criterion.START, false)) {
                long stated = one.gang().runtime();
                if (stated > 4) {
                    shorter += isPutRight(one, seen(1, stated / 2 - 1, true), stated / 2 - 1) ? 1 : 0;
                }
                longer += isPutRight(one, seen(stated + 1, stated + 2, true), stated + 2) ? 1 : 0;
            }
        }
        assertThat(shorter).isGreaterThan(10);
        assertThat(longer).isGreaterThan(10);
    }

    private static boolean isPutRight(Case one, RuntimeSource source, long runtime) {
        RequestChange right = new RequestChange.Lasting(runtime);
        List<Advice> told = ofRuntime(advice(one, source));

        assertThat(told)
                .as("%s", one.gang())
                .isEqualTo(one.taken(right).stream()
                        .map(planned -> new Advice(right, planned.window()))
                        .toList());
        return !told.isEmpty();
    }

    @Test
    void noSmallerChangeHelps() {
        Set<String> told = new TreeSet<>();
        for (int seed = 0; seed < 2 * CLUSTERS; seed++) {
            for (Case one : cases(seed, Criterion.START, false)) {
                Set<String> kinds = new TreeSet<>();
                for (Advice advice : advice(one)) {
                    // The first advice of its kind is the smallest. The earliest start of all may need a larger change.
                    Optional<Gang> less =
                            kinds.add(advice.change().key()) ? one.lessThan(advice.change()) : Optional.empty();
                    less.ifPresent(gang -> assertThat(one.helps(gang))
                            .as("%s: less than %s", gang, advice)
                            .isFalse());
                }
                told.addAll(kinds);
            }
        }
        assertThat(told)
                .contains(
                        "budget",
                        "deadline",
                        "gang-size",
                        "runtime",
                        "max-price",
                        "max-per-node",
                        "topology",
                        "earliest-start");
    }

    @Test
    void nothingThatHelpsIsLeftOut() {
        int helped = 0;
        for (int seed = 0; seed < CLUSTERS; seed++) {
            for (Case one : cases(seed, Criterion.START, seed % 4 == 3)) {
                Set<String> told = new TreeSet<>();
                advice(one).forEach(advice -> told.add(advice.change().key()));
                TreeMap<String, Gang> largest = one.largest();
                for (String key : largest.keySet()) {
                    boolean helps = one.helps(largest.get(key));
                    assertThat(told.contains(key))
                            .as("seed %d, %s: %s among %s", seed, one.gang(), key, told)
                            .isEqualTo(helps);
                    helped += helps ? 1 : 0;
                }
            }
        }
        assertThat(helped).isGreaterThan(100);
    }

    @Test
    void adviceWithTheSameWindowAsAnEarlierOneIsLeftOut() {
        int budgets = 0;
        int together = 0;
        for (int seed = 0; seed < CLUSTERS; seed++) {
            for (Case one : cases(seed, Criterion.COST, false)) {
                List<Advice> told = advice(one);
                for (Advice advice : told) {
                    List<Advice> alike = told.stream()
                            .filter(other ->
                                    other.change().key().equals(advice.change().key())
                                            && other.window().start()
                                                    == advice.window().start()
                                            && other.window()
                                                    .cost()
                                                    .equals(advice.window().cost()))
                            .toList();

                    assertThat(alike).as("seed %d, %s", seed, one.gang()).hasSize(1);
                    budgets += advice.change() instanceof RequestChange.Budget ? 1 : 0;
                    if (advice.change() instanceof RequestChange.BudgetAndCriterion) {
                        together++;
                        assertThat(told.stream()
                                        .filter(other -> other.change() instanceof RequestChange.Budget)
                                        .toList())
                                .as("seed %d, %s: the budget alone", seed, one.gang())
                                .allMatch(other ->
                                        other.window().start() > advice.window().start());
                    }
                }
            }
        }
        assertThat(budgets).isGreaterThan(5);
        assertThat(together).isPositive();
    }

    @Test
    void theLastAdvisedBudgetBuysTheEarliestStart() {
        int raised = 0;
        for (int seed = 0; seed < CLUSTERS; seed++) {
            for (Case one : cases(seed, Criterion.START, false)) {
                List<Advice> budgets = advice(one).stream()
                        .filter(advice -> advice.change() instanceof RequestChange.Budget)
                        .toList();
                if (!budgets.isEmpty()) {
                    Gang rich = one.gang()
                            .paying(new Budget(null, one.gang().budget().slotPrice()));
                    BruteForce.Best earliest =
                            Objects.requireNonNull(BruteForce.best(one.beside(), one.policy(), rich, NOW));

                    assertThat(budgets.getLast().window().start()).isEqualTo(earliest.start());
                    raised++;
                }
            }
        }
        assertThat(raised).isGreaterThan(10);
    }

    @Test
    void aNamespaceIsToldHowMuchItsBudgetLacks() {
        int told = 0;
        for (int seed = 0; seed < CLUSTERS; seed++) {
            RandomClusters clusters = new RandomClusters(seeded(seed));
            Policy policy = policy(RandomClusters.SPAN, 0);
            Request request = new Request(clusters.gang("g", Criterion.START), null);
            Snapshot rich = new Snapshot(NOW, clusters.cluster(4), List.of(request), List.of());
            Snapshot poor = rich.withAccounts(List.of(new Account("user", NOW - 10, NOW + 10_000, new Cost(10))));
            GangId gang = request.gang().id();
            Refusal refusal = new Planner(policy)
                    .plan(poor).pending().stream()
                            .findFirst()
                            .map(Pending::refusal)
                            .orElse(null);
            if (refusal instanceof Refusal.NamespaceBudget) {
                Advice advice = new Advisor(policy, RandomSource.NONE)
                        .advise(poor, gang, null).stream()
                                .filter(other -> other.change() instanceof RequestChange.NamespaceBudget)
                                .findFirst()
                                .orElseThrow();
                Money more = ((RequestChange.NamespaceBudget) advice.change()).money();

                assertThat(plans(policy, poor, more.micros())).isTrue();
                assertThat(plans(policy, poor, more.micros() - 1)).isFalse();
                told++;
            }
        }
        assertThat(told).isGreaterThan(5);
    }

    private static boolean plans(Policy policy, Snapshot poor, long more) {
        Account account = poor.accounts().getFirst();
        Account raised = new Account(
                account.holder(), account.start(), account.end(), account.left().plus(Cost.of(new Money(more))));
        return !new Planner(policy)
                .plan(poor.withAccounts(List.of(raised)))
                .windows()
                .isEmpty();
    }
}
