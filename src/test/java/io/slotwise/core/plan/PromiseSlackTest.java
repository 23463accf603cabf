package io.slotwise.core.plan;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static io.slotwise.testing.PlanBuilder.oneCore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.StopSignal;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.InPlan;
import io.slotwise.testing.Occupations;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Promises with slack: a gang is told its latest start, and until then its window moves if that is better for all. */
class PromiseSlackTest {
    private static final long NOW = RandomClusters.NOW;
    private static final Policy TENTH = policy(100_000, 0).withSlack(new PromiseSlack(0, 100_000, 0));

    private final Gang large =
            GangBuilder.gang("large", 1, 1_000, 1_000).arrival(NOW - 10).build();
    private final Gang small =
            GangBuilder.gang("small", 1, 1_000, 50).arrival(NOW).build();

    @Test
    void slackIsTheSumOfItsPartsAndNeverLessThanTheLeast() {
        PromiseSlack slack = new PromiseSlack(200_000, 100_000, 60);
        Gang gang = GangBuilder.gang("g", 1, 1_000, 1_000).arrival(NOW - 50).build();

        assertThat(slack.of(gang, window(gang, 50))).isEqualTo(20 + 100);
        assertThat(slack.of(small, window(small, 0))).isEqualTo(60);
        assertThat(PromiseSlack.NONE.promised(gang, window(gang, 50))).isNull();
    }

    @Test
    void slackLastsUntilTheDelayCostsItsPartOfThePrice() {
        PromiseSlack slack = new PromiseSlack(0, 0, 0, 500_000, 0);
        Gang valued = large.valuing(ValueOfTime.always(new Money(2_000_000)));
        Placement placement = new Placement(large.pods().getFirst(), "a", NOW, NOW + 1_000, new Cost(3_600_000_000L));
        Window paid = Window.of(large.id(), NOW, List.of(placement));

        assertThat(slack.of(valued, paid)).isEqualTo(900);
        assertThat(slack.of(large, paid)).isZero();
        assertThat(slack.of(large.valuing(ValueOfTime.always(new Money(1))), paid))
                .isEqualTo(PromiseSlack.MOST_SECONDS);
    }

    @Test
    void noGangWaitsForMoneyThatWillNotBePaid() {
        Gang valued = large.wanting(Criterion.VALUE).valuing(ValueOfTime.always(new Money(6_000_000)));
        Policy whole = TENTH.withBatch(TENTH.batch().serving(Objective.MAX_VALUE, Limit.NONE));
        List<Node> nodes = List.of(oneCore("a", 1_000_000), oneCore("b", 1_500_000));

        Plan waits = plan(whole, nodes, List.of(runs(30)), new Request(valued, null));
        Plan starts = plan(whole.withExpectedUse(200_000), nodes, List.of(runs(30)), new Request(valued, null));

        assertThat(start(waits, "large")).isEqualTo(NOW + 30);
        assertThat(start(starts, "large")).isEqualTo(NOW);
        assertThatThrownBy(() -> whole.withExpectedUse(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theHighestCostWithinTheBudgetIsPromised() {
        PromiseSlack slack = new PromiseSlack(0, 0, 60, 0, 500_000);
        Placement placement = new Placement(large.pods().getFirst(), "a", NOW, NOW + 1_000, new Cost(3_600_000));
        Window paid = Window.of(large.id(), NOW, List.of(placement));
        Gang poor = large.paying(new Budget(new Money(1_200), null));

        assertThat(Objects.requireNonNull(slack.promised(large, paid)).cost()).isEqualTo(new Cost(5_400_000));
        assertThat(Objects.requireNonNull(slack.promised(poor, paid)).cost()).isEqualTo(new Cost(4_320_000));
    }

    @Test
    void boundOfTheEndIsNotBeyondTheDeadline() {
        Gang gang = GangBuilder.gang("g", 1, 1_000, 1_000)
                .arrival(NOW)
                .deadline(NOW + 1_030)
                .build();

        Plan plan = plan(TENTH, List.of(oneCore("a", 0)), new Request(gang, null));

        assertThat(plan.windows().getFirst().bound()).isEqualTo(new PromiseBound(NOW + 100, NOW + 1_030, Cost.ZERO));
    }

    @Test
    void theFirstPlanStatesTheExpectedWindowAndThePromise() {
        Plan plan = plan(TENTH, List.of(oneCore("a", 3_600)), new Request(large, null));

        assertThat(plan.windows().getFirst().window().start()).isEqualTo(NOW);
        assertThat(plan.windows().getFirst().bound())
                .isEqualTo(new PromiseBound(NOW + 100, NOW + 1_100, new Cost(3_600_000)));
    }

    @Test
    void shortGangPushesALongOneBackWithinItsSlack() {
        Plan plan =
                plan(TENTH, List.of(oneCore("a", 0)), List.of(runs(30)), promised(large, 30), new Request(small, null));

        assertThat(start(plan, "small")).isEqualTo(NOW + 30);
        assertThat(start(plan, "large")).isEqualTo(NOW + 80);
        assertThat(InPlan.planned(plan, "large").bound())
                .isEqualTo(new PromiseBound(NOW + 130, NOW + 1_130, Cost.ZERO));
        assertThat(plan.broken()).isEmpty();
    }

    @Test
    void slackThatIsUsedUpIsNoneAnyMore() {
        Promise promise = Objects.requireNonNull(promised(large, 30).promise());
        Request pushed = new Request(large, promise.withWindow(window(large, 80)));
        Gang other = GangBuilder.gang("other", 1, 1_000, 60).arrival(NOW).build();

        Plan plan = plan(TENTH, List.of(oneCore("a", 0)), List.of(runs(80)), pushed, new Request(other, null));

        assertThat(start(plan, "large")).isEqualTo(NOW + 80);
        assertThat(start(plan, "other")).isEqualTo(NOW + 1_080);
    }

    @Test
    void aGangThatWouldPayMoreThanPromisedStays() {
        Node dearer = oneCore("a", 0)
                .at(StepFunction.startingAt(0).then(NOW + 1_040, 1_000_000).build());

        Plan plan = plan(TENTH, List.of(dearer), List.of(runs(30)), promised(large, 30), new Request(small, null));

        assertThat(start(plan, "large")).isEqualTo(NOW + 30);
        assertThat(InPlan.planned(plan, "large").kept()).isTrue();
    }

    @Test
    void noGangIsPushedBackIfAllLoseTogether() {
        Gang wide = GangBuilder.gang("wide", 1, 1_000, 60).arrival(NOW).build();
        Gang slow = GangBuilder.gang("slow", 1, 1_000, 60).arrival(NOW - 10).build();

        Plan plan = plan(
                TENTH.withSlack(new PromiseSlack(0, 0, 1_000)),
                List.of(oneCore("a", 0)),
                List.of(runs(30)),
                promised(slow, 30),
                new Request(wide, null));

        assertThat(start(plan, "slow")).isEqualTo(NOW + 30);
    }

    @Test
    void theGangWithTheHigherValueOfTimeGoesFirst() {
        Gang dear = GangBuilder.gang("dear", 1, 1_000, 100)
                .arrival(NOW)
                .build()
                .wanting(Criterion.VALUE)
                .valuing(ValueOfTime.always(new Money(50_000_000)));
        Gang cheap = large.wanting(Criterion.VALUE).valuing(ValueOfTime.always(new Money(1_000_000)));
        Policy value = TENTH.withBatch(TENTH.batch().serving(Objective.MAX_VALUE, Limit.NONE));

        Plan plan =
                plan(value, List.of(oneCore("a", 0)), List.of(runs(30)), promised(cheap, 30), new Request(dear, null));

        assertThat(start(plan, "dear")).isEqualTo(NOW + 30);
        assertThat(start(plan, "large")).isEqualTo(NOW + 130);
    }

    @Test
    void freshPromisesAndThoseOfReleasedPodsStay() {
        Request fresh = new Request(large, promised(large, 30).promise()).withFresh(true);
        Request released = new Request(
                large, Objects.requireNonNull(promised(large, 30).promise()).withReleased(true));

        for (Request request : List.of(fresh, released)) {
            Plan plan = plan(TENTH, List.of(oneCore("a", 0)), List.of(runs(30)), request, new Request(small, null));

            assertThat(InPlan.planned(plan, "large").kept()).isTrue();
        }
    }

    @Test
    void promiseOfATimeWithoutSlackIsItsWindow() {
        Request old = new Request(large, new Promise(window(large, 30), WindowOrigin.CYCLIC, false));

        Plan plan = plan(TENTH, List.of(oneCore("a", 0)), List.of(runs(30)), old, new Request(small, null));

        assertThat(InPlan.planned(plan, "large").kept()).isTrue();
        assertThat(InPlan.planned(plan, "large").bound()).isEqualTo(new PromiseBound(NOW + 30, NOW + 1_030, Cost.ZERO));
    }

    @Test
    void slackIsForPoliciesThatImprovePromises() {
        assertThat(TENTH.withReplan(Replan.NEVER).slack()).isEqualTo(PromiseSlack.NONE);
        assertThatThrownBy(() -> TENTH.withReplan(Replan.FREE).withSlack(TENTH.slack()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Without failures, no gang starts or ends later, or pays more, than it was told with its first window. */
    @Test
    void withoutFailuresNoGangIsLaterOrPaysMoreThanPromised() {
        int moved = 0;
        for (int seed = 0; seed < 150; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Policy policy = policy(RandomClusters.SPAN * 4, random.nextInt(3))
                    .withSlack(new PromiseSlack(
                            random.nextInt(500_000),
                            random.nextInt(500_000),
                            random.nextInt(20),
                            0,
                            random.nextInt(3) * 500_000));
            if (random.nextInt(3) > 0) {
                policy = policy.withBatch(policy.batch().serving(Objective.MAX_VALUE, Limit.NONE))
                        .withExpectedUse(1 + random.nextInt(1_000_000))
                        .withLeastSaving(random.nextInt(2) * (1 + random.nextInt(8_000_000)));
            }
            Planner planner = new Planner(policy);
            Criterion[] criteria = Criterion.values();
            Map<GangId, PromiseBound> promised = new HashMap<>();
            Cluster cluster = clusters.cluster(3 + random.nextInt(3));
            List<Request> requests = new ArrayList<>();
            long now = NOW;
            for (int cycle = 0; cycle < 12; cycle++) {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    requests.add(new Request(
                            clusters.gang("g" + cycle + "-" + i, criteria[random.nextInt(criteria.length)]), null));
                }
                Snapshot snapshot = new Snapshot(now, cluster, requests, List.of());
                Plan plan = planner.plan(snapshot);
                assertThat(PlanChecker.faults(snapshot, policy, plan))
                        .as("seed %d", seed)
                        .isEmpty();
                assertThat(plan.broken()).as("seed %d", seed).isEmpty();
                for (Planned planned : plan.windows()) {
                    PromiseBound by =
                            promised.computeIfAbsent(planned.gang().id(), _ -> Objects.requireNonNull(planned.bound()));
                    assertThat(by.holds(planned.window()))
                            .as("seed %d: %s", seed, planned)
                            .isTrue();
                    assertThat(planned.bound()).isEqualTo(by);
                }
                moved += later(snapshot, plan);
                Set<GangId> waiting = new HashSet<>();
                plan.windows().forEach(planned -> waiting.add(planned.gang().id()));
                assertThat(waiting).containsAll(promisedIn(requests));
                now += random.nextInt(8);
                long second = now;
                requests = new ArrayList<>(snapshot.published(plan).requests());
                List<Occupation> running = new ArrayList<>(cluster.occupations());
                requests.removeIf(request -> starts(request, second, running));
                if (!running.isEmpty() && random.nextInt(3) == 0) {
                    running.remove(random.nextInt(running.size()));
                }
                cluster = new Cluster(cluster.inventory(), running);
            }
        }
        assertThat(moved).isGreaterThan(100);
    }

    private static Set<GangId> promisedIn(List<Request> requests) {
        Set<GangId> promised = new HashSet<>();
        requests.stream()
                .filter(request -> request.promise() != null)
                .forEach(request -> promised.add(request.gang().id()));
        return promised;
    }

    private static boolean starts(Request request, long now, List<Occupation> running) {
        Promise promise = request.promise();
        if (promise == null || promise.window().start() > now) {
            return false;
        }
        running.addAll(Occupations.in(promise.window(), request.gang(), "user"));
        return true;
    }

    private static int later(Snapshot snapshot, Plan plan) {
        Map<GangId, Window> before = new HashMap<>();
        snapshot.requests().stream()
                .filter(request -> request.promise() != null)
                .forEach(request -> before.put(
                        request.gang().id(),
                        Objects.requireNonNull(request.promise()).window()));
        return (int) plan.windows().stream()
                .filter(planned -> before.containsKey(planned.gang().id())
                        && planned.window().start()
                                > Objects.requireNonNull(
                                                before.get(planned.gang().id()))
                                        .start())
                .count();
    }

    /**
     * For each criterion, the sum over all gangs is never worse than without the moves, and slack never reduces the
     * number of gangs with windows.
     */
    @Test
    void sumsOverAllGangsAreNoWorseThanWithoutMoves() {
        int better = 0;
        int more = 0;
        for (int seed = 0; seed < 300; seed++) {
            RandomClusters clusters = new RandomClusters(seeded(seed));
            Policy policy = policy(RandomClusters.SPAN, 0).withSlack(new PromiseSlack(500_000, 500_000, 20));
            Cluster cluster = clusters.cluster(4);
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                requests.add(
                        new Request(clusters.gang("g" + i, i % 2 == 0 ? Criterion.START : Criterion.FINISH), null));
            }
            Snapshot first = new Snapshot(NOW, cluster, requests, List.of());
            List<Request> all = new ArrayList<>(
                    first.published(new Planner(policy).plan(first)).requests());
            for (int i = 0; i < 4; i++) {
                all.add(new Request(clusters.gang("h" + i, i % 2 == 0 ? Criterion.START : Criterion.FINISH), null));
            }
            Snapshot second = new Snapshot(NOW, cluster, all, List.of());

            Plan moved = new Planner(policy).plan(second);
            Plan exact = new Planner(policy.withSlack(PromiseSlack.NONE)).plan(second);
            assertThat(placed(moved)).as("seed %d", seed).containsAll(placed(exact));
            more += placed(moved).size() > placed(exact).size() ? 1 : 0;
            Plan unmoved = new Planner(policy).planNewcomers(second, StopSignal.NEVER);
            Map<Criterion, Long> with = sums(moved);
            Map<Criterion, Long> without = sums(unmoved);
            for (Map.Entry<Criterion, Long> sum : with.entrySet()) {
                assertThat(sum.getValue())
                        .as("seed %d, %s", seed, sum.getKey())
                        .isLessThanOrEqualTo(Objects.requireNonNull(without.get(sum.getKey())));
            }
            better += with.equals(without) ? 0 : 1;
        }
        assertThat(better).isGreaterThan(10);
        assertThat(more).isBetween(3, 150);
    }

    private static Set<GangId> placed(Plan plan) {
        return plan.windows().stream().map(planned -> planned.gang().id()).collect(Collectors.toSet());
    }

    private static Map<Criterion, Long> sums(Plan plan) {
        Map<Criterion, Long> sums = new EnumMap<>(Criterion.class);
        plan.windows()
                .forEach(planned ->
                        sums.merge(planned.gang().criterion(), planned.window().value(planned.gang()), Long::sum));
        return sums;
    }

    private static Plan plan(Policy policy, List<Node> nodes, Request... requests) {
        return plan(policy, nodes, List.of(), requests);
    }

    private static Plan plan(Policy policy, List<Node> nodes, List<Occupation> runs, Request... requests) {
        Snapshot snapshot = new Snapshot(NOW, new Cluster(nodes, runs), List.of(requests), List.of());
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        return plan;
    }

    private static Occupation runs(long until) {
        return new Occupation(
                "other/p", "a", Resources.of(Map.of(Resources.CPU, 1000L)), new Interval(NOW - 100, NOW + until));
    }

    /** A promise on node {@code a} with a slack of a tenth of the runtime. */
    private static Request promised(Gang gang, long start) {
        Window window = window(gang, start);
        return new Request(
                gang,
                new Promise(window, WindowOrigin.CYCLIC, false)
                        .withPromiseBound(TENTH.slack().promised(gang, window)));
    }

    private static Window window(Gang gang, long start) {
        Placement placement =
                new Placement(gang.pods().getFirst(), "a", NOW + start, NOW + start + gang.runtime(), Cost.ZERO);
        return Window.of(gang.id(), NOW + start, List.of(placement));
    }

    private static long start(Plan plan, String name) {
        return InPlan.planned(plan, name).window().start();
    }
}
