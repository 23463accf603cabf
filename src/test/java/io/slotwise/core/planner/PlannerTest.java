package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.requests;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlannerTest {
    private static final long NOW = RandomClusters.NOW;

    private static Policy with(Objective objective, Limit limit, Replan replan, long turnover) {
        return policy(RandomClusters.SPAN * 2, turnover)
                .withBatch(Policy.EXACT.batch().serving(objective, limit).withAlternatives(6))
                .withReplan(replan);
    }

    @ParameterizedTest
    @EnumSource(Objective.class)
    void everyPlanOfABatchKeepsTheContract(Objective objective) {
        int windows = 0;
        for (int seed = 0; seed < 60; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(2 + random.nextInt(7));
            Measure measure = List.of(Measure.values()).get(random.nextInt(3));
            Policy policy = with(
                    objective,
                    measure == Measure.NOTHING ? Limit.NONE : new Limit(measure, OptionalLong.empty()),
                    Replan.IMPROVE,
                    random.nextInt(4));
            Snapshot snapshot = new Snapshot(NOW, cluster, requests(clusters, 12), List.of());

            Plan plan = new Planner(policy).plan(snapshot);

            assertThat(PlanChecker.faults(snapshot, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            windows += plan.windows().size();
        }
        assertThat(windows).isGreaterThan(60);
    }

    @ParameterizedTest
    @EnumSource(Replan.class)
    void promisesMoveOnlyForTheBetterOrForACauseOverManyCycles(Replan replan) {
        int broken = 0;
        int kept = 0;
        for (int seed = 0; seed < 40; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Policy policy = with(Objective.USER, Limit.NONE, replan, random.nextInt(3));
            Cluster cluster = clusters.cluster(5);
            List<Request> requests = requests(clusters, 8);
            long now = NOW;
            for (int cycle = 0; cycle < 6; cycle++) {
                Snapshot snapshot = new Snapshot(now, cluster, requests, List.of());

                Plan plan = new Planner(policy).plan(snapshot);

                assertThat(PlanChecker.faults(snapshot, policy, plan))
                        .as("seed %d, cycle %d", seed, cycle)
                        .isEmpty();
                broken += plan.broken().size();
                kept += (int) plan.windows().stream().filter(Planned::kept).count();
                long next = now + random.nextInt(10);
                requests = waiting(plan, requests, next, random);
                cluster = disturbed(cluster, random, next);
                now = next;
            }
        }
        assertThat(broken).isPositive();
        assertThat(kept).isPositive();
    }

    /** The gangs that have not started by then, with their promises. */
    static List<Request> waiting(Plan plan, List<Request> before, long now, RandomGenerator random) {
        List<Request> after = new ArrayList<>();
        for (Request request : before) {
            plan.windows().stream()
                    .filter(p -> p.gang().id().equals(request.gang().id()))
                    .findFirst()
                    .ifPresentOrElse(
                            planned -> {
                                if (planned.window().start() > now) {
                                    after.add(new Request(
                                            request.gang(),
                                            new Promise(planned.window(), planned.origin(), random.nextInt(5) == 0)));
                                }
                            },
                            () -> after.add(new Request(request.gang(), null)));
        }
        return after;
    }

    /** Removes a node, adds a foreign pod, or ends a pod early. */
    private static Cluster disturbed(Cluster cluster, RandomGenerator random, long now) {
        List<Node> nodes = new ArrayList<>(cluster.inventory());
        List<Occupation> load = new ArrayList<>(cluster.occupations());
        switch (random.nextInt(4)) {
            case 0 -> nodes.remove(random.nextInt(nodes.size()));
            case 1 ->
                load.add(new Occupation(
                        "foreign/p" + now,
                        nodes.get(random.nextInt(nodes.size())).name(),
                        Resources.of(Map.of(Resources.CPU, 500L)),
                        new Interval(now, now + 100)));
            case 2 -> {
                if (!load.isEmpty()) {
                    load.remove(random.nextInt(load.size()));
                }
            }
            default -> {}
        }
        return nodes.isEmpty() ? cluster : new Cluster(nodes, load);
    }

    @Test
    void limitOnCostHoldsForTheWholeBatchAndThoseLeftOutAreToldWhy() {
        RandomClusters clusters = new RandomClusters(seeded(11));
        Cluster cluster = clusters.cluster(8);
        List<Request> requests = requests(clusters, 12);
        Policy free = with(Objective.USER, Limit.NONE, Replan.IMPROVE, 0);
        Snapshot snapshot = new Snapshot(NOW, cluster, requests, List.of());
        long all = total(new Planner(free).plan(snapshot));
        Policy limited = with(Objective.USER, new Limit(Measure.COST, OptionalLong.of(all / 3)), Replan.IMPROVE, 0);

        Plan plan = new Planner(limited).plan(snapshot);

        assertThat(total(plan)).isBetween(1L, all / 3);
        assertThat(plan.pending())
                .anySatisfy(pending -> assertThat(pending.refusal().message())
                        .startsWith("left out of the batch: with it the least cost is "));
        assertThat(PlanChecker.faults(snapshot, limited, plan)).isEmpty();
    }

    @Test
    void batchesOfLeastAndMostCostBoundTheUsersOwnChoice() {
        for (int seed = 0; seed < 30; seed++) {
            RandomClusters clusters = new RandomClusters(seeded(seed));
            Cluster cluster = clusters.cluster(6);
            Gang gang = clusters.gang("g", Criterion.START);
            Snapshot snapshot = new Snapshot(NOW, cluster, List.of(new Request(gang, null)), List.of());

            long user = total(new Planner(unshifted(Objective.USER)).plan(snapshot));
            long cheapest = total(new Planner(unshifted(Objective.MIN_COST)).plan(snapshot));
            long dearest = total(new Planner(unshifted(Objective.MAX_INCOME)).plan(snapshot));

            assertThat(user).as("seed %d", seed).isBetween(cheapest, dearest);
        }
    }

    private static Policy unshifted(Objective objective) {
        return policy(RandomClusters.SPAN, 0)
                .withBatch(Policy.EXACT
                        .batch()
                        .serving(objective, Limit.NONE)
                        .withAlternatives(6)
                        .withShift(false));
    }

    private static long total(Plan plan) {
        return plan.windows().stream()
                .map(planned -> planned.window().cost())
                .reduce(Cost.ZERO, Cost::plus)
                .microSecondsPerHour();
    }

    @Test
    void promiseOnANodeThatIsGoneIsBrokenByNameAndPlannedAgain() {
        RandomClusters clusters = new RandomClusters(seeded(3));
        Cluster cluster = clusters.cluster(6);
        Policy policy = policy(RandomClusters.SPAN, 0);
        Gang gang = IntStream.range(0, 100)
                .mapToObj(i -> clusters.gang("g" + i, Criterion.START))
                .filter(g -> !plan(policy, cluster, g).windows().isEmpty())
                .findFirst()
                .orElseThrow();
        Window promised = plan(policy, cluster, gang).windows().getFirst().window();
        String lost = promised.placements().getFirst().node();
        Cluster smaller = new Cluster(
                cluster.inventory().stream().filter(n -> !n.name().equals(lost)).toList(), cluster.occupations());

        Plan plan = new Planner(policy)
                .plan(new Snapshot(
                        NOW,
                        smaller,
                        List.of(new Request(gang, new Promise(promised, WindowOrigin.CYCLIC, false))),
                        List.of()));

        assertThat(plan.broken()).singleElement().satisfies(broken -> {
            assertThat(broken.cause()).isEqualTo(Cause.NODE_LOST);
            assertThat(broken.message()).isEqualTo("node %s is gone".formatted(lost));
        });
    }

    @Test
    void podThatStartedLateMayUseTheTurnoverWithoutBreakingTheNextPromise() {
        Cluster empty = new RandomClusters(seeded(1)).cluster(1);
        Node node = new Node(
                "n",
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 9L)),
                empty.inventory().getFirst().performance(),
                "o",
                empty.inventory().getFirst().price(),
                List.of());
        Gang gang = GangBuilder.gang("next", 1, 1000, 20)
                .nodeIndependent()
                .arrival(NOW)
                .build();
        Policy policy = policy(RandomClusters.SPAN, 3);
        Window promised =
                plan(policy, running(node, 10), gang).windows().getFirst().window();

        Plan slightlyLate = replanned(policy, running(node, 12), gang, promised);
        Plan tooLate = replanned(policy, running(node, 14), gang, promised);

        assertThat(promised.start()).isEqualTo(NOW + 13);
        assertThat(slightlyLate.broken()).isEmpty();
        assertThat(slightlyLate.windows())
                .singleElement()
                .satisfies(p -> assertThat(p.kept()).isTrue());
        assertThat(tooLate.broken())
                .singleElement()
                .satisfies(b -> assertThat(b.message()).isEqualTo("the room on node n is taken by user/before"));
        assertThat(tooLate.windows().getFirst().window().start()).isEqualTo(NOW + 17);
    }

    private static Cluster running(Node node, long seconds) {
        return new Cluster(
                List.of(node),
                List.of(new Occupation(
                        "user/before",
                        "n",
                        Resources.of(Map.of(Resources.CPU, 1000L)),
                        new Interval(NOW - 5, NOW + seconds))));
    }

    private static Plan replanned(Policy policy, Cluster cluster, Gang gang, Window promised) {
        return new Planner(policy)
                .plan(new Snapshot(
                        NOW,
                        cluster,
                        List.of(new Request(gang, new Promise(promised, WindowOrigin.CYCLIC, false))),
                        List.of()));
    }

    private static Plan plan(Policy policy, Cluster cluster, Gang gang) {
        return new Planner(policy).plan(new Snapshot(NOW, cluster, List.of(new Request(gang, null)), List.of()));
    }

    @Test
    void aBoundedSearchSaysSoAndStillGivesAWindow() {
        Resources small = Resources.of(Map.of(Resources.CPU, 100L, Resources.PODS, 1L));
        Resources middle = Resources.of(Map.of(Resources.CPU, 200L, Resources.PODS, 1L));
        Resources large = Resources.of(Map.of(Resources.CPU, 300L, Resources.PODS, 1L));
        List<Gang.Shape> shapes = new ArrayList<>();
        for (Resources resources : List.of(small, middle, large)) {
            shapes.add(new Gang.Shape(
                    IntStream.range(0, 60)
                            .mapToObj(i -> "p" + shapes.size() + "-" + i)
                            .toList(),
                    new PodRequest(resources, NodeConstraint.NONE, 20, true)));
        }
        Gang gang = new Gang(
                new GangId("user", "many"),
                shapes,
                Demand.NONE.withCriterion(Criterion.COST),
                0,
                NOW,
                PlacementRequest.USUAL);
        Cluster cluster = new Cluster(
                IntStream.range(0, 30)
                        .mapToObj(i -> new Node(
                                "n" + i,
                                Map.of(),
                                List.of(),
                                true,
                                Resources.of(Map.of(Resources.CPU, 2000L, Resources.PODS, 20L)),
                                Performance.REFERENCE,
                                "o",
                                StepFunction.constant(1_000_000 + i),
                                List.of()))
                        .toList(),
                List.of());
        Policy policy = policy(RandomClusters.SPAN, 0);
        Snapshot snapshot = new Snapshot(NOW, cluster, List.of(new Request(gang, null)), List.of());

        Plan plan = new Planner(policy).plan(snapshot);

        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        assertThat(plan.windows()).hasSize(1);
        assertThat(plan.notes())
                .containsExactly("the search for a window of user/many was bounded: there may be a better one");
    }
}
