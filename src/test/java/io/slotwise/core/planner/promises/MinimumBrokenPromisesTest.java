package io.slotwise.core.planner.promises;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.planner.promises.MinimumBrokenPromises.Stake;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.EverySubset;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Proves that a change breaks as few promises as possible. */
class MinimumBrokenPromisesTest {
    private static final long NOW = RandomClusters.NOW;
    private static final Policy POLICY = policy(600, 0).withReplan(Replan.NEVER);

    private static Node node(String name, long cpu, long memory) {
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, cpu, Resources.MEMORY, memory, Resources.PODS, 110L)),
                Performance.REFERENCE,
                "o",
                StepFunction.constant(0),
                List.of());
    }

    private static Node node(String name, long cpu) {
        return node(name, cpu, 100_000);
    }

    private static Resources cpu(long amount) {
        return Resources.of(Map.of(Resources.CPU, amount, Resources.PODS, 1L));
    }

    /** A gang whose pods were promised these nodes from {@code start} to {@code end}, seconds from now. */
    private static Request promised(
            String name, boolean released, long start, long end, Resources each, String... nodes) {
        List<String> pods =
                IntStream.range(0, nodes.length).mapToObj(i -> name + "-" + i).toList();
        Gang gang = new Gang(
                new GangId("user", name),
                pods,
                new PodRequest(each, NodeConstraint.NONE, end - start, true),
                Demand.NONE,
                0,
                NOW);
        List<Placement> placements = IntStream.range(0, nodes.length)
                .mapToObj(i -> new Placement(pods.get(i), nodes[i], NOW + start, NOW + end, Cost.ZERO))
                .toList();
        return new Request(
                gang, new Promise(Window.of(gang.id(), NOW + start, placements), WindowOrigin.CYCLIC, released));
    }

    private static Occupation late(String node, long amount, long end) {
        return new Occupation("other/late", node, cpu(amount), new Interval(NOW - 10, NOW + end), true);
    }

    private static Plan plan(List<Node> nodes, List<Occupation> load, List<Request> requests) {
        Snapshot snapshot = new Snapshot(NOW, new Cluster(nodes, load), requests, List.of());
        Plan plan = new Planner(POLICY).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, POLICY, plan)).isEmpty();
        return plan;
    }

    private static List<String> broken(Plan plan) {
        return plan.broken().stream().map(broken -> broken.gang().name()).toList();
    }

    @Test
    void breaksTheSmallestSetThatTryingEverySetFinds() {
        int moreThanOne = 0;
        int unlikeGreedy = 0;
        for (int seed = 0; seed < 520; seed++) {
            RandomGenerator random = seeded(seed);
            List<Node> nodes = IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(i -> node("n" + i, 2000 + 500L * random.nextInt(6), 4000 + 1000L * random.nextInt(5)))
                    .toList();
            List<Request> requests = anyPromises(random);
            Snapshot snapshot = new Snapshot(NOW, new Cluster(nodes, anyLoad(random)), requests, List.of());

            Plan plan = new Planner(POLICY).plan(snapshot);

            List<GangId> broken =
                    plan.broken().stream().map(BrokenPromise::gang).toList();
            assertThat(broken).as("seed %d", seed).isEqualTo(EverySubset.smallest(snapshot));
            assertThat(PlanChecker.faults(snapshot, POLICY, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            assertThat(plan.notes()).isEmpty();
            moreThanOne += broken.size() > 1 ? 1 : 0;
            unlikeGreedy += seed % 4 > 0 || broken.equals(greedy(snapshot)) ? 0 : 1;
        }
        assertThat(moreThanOne).isGreaterThan(150);
        assertThat(unlikeGreedy)
                .as("cases in which first come, first kept breaks others")
                .isGreaterThan(5);
    }

    private static List<Request> anyPromises(RandomGenerator random) {
        List<Request> requests = new ArrayList<>();
        for (int i = 3 + random.nextInt(6); i > 0; i--) {
            long start = random.nextInt(20);
            String[] podNodes = IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(_ -> "n" + (random.nextInt(20) == 0 ? 9 : random.nextInt(3)))
                    .toArray(String[]::new);
            Resources each = Resources.of(Map.of(
                    Resources.CPU, 250L * (1 + random.nextInt(8)),
                    Resources.MEMORY, 500L * random.nextInt(5),
                    Resources.PODS, 1L));
            requests.add(
                    promised("g" + i, random.nextInt(6) == 0, start, start + 3 + random.nextInt(14), each, podNodes));
        }
        return requests;
    }

    private static List<Occupation> anyLoad(RandomGenerator random) {
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> {
                    Interval held = new Interval(NOW - 5, NOW + 1 + random.nextInt(25));
                    return new Occupation(
                            "other/p" + i, "n" + random.nextInt(3), cpu(250L * (1 + random.nextInt(6))), held);
                })
                .toList();
    }

    /** The broken promises if earlier gangs are kept first, by the brute force with ever more promises. */
    private static List<GangId> greedy(Snapshot snapshot) {
        List<Request> kept = new ArrayList<>();
        List<GangId> broken = new ArrayList<>();
        snapshot.requests().stream()
                .sorted(Comparator.comparing((Request r) -> !promise(r).released())
                        .thenComparingLong(r -> promise(r).window().start())
                        .thenComparing(r -> r.gang().id()))
                .forEach(request -> {
                    kept.add(request);
                    if (!EverySubset.colliding(snapshot.withRequests(kept)).isEmpty()) {
                        kept.remove(request);
                        broken.add(request.gang().id());
                    }
                });
        return broken.stream().sorted().toList();
    }

    private static Promise promise(Request request) {
        return Objects.requireNonNull(request.promise());
    }

    @Test
    void anEarlyLargeGangDoesNotCostTwoOthersTheirWindows() {
        List<Request> requests = List.of(
                promised("large", false, 10, 40, cpu(1000), "a", "b"),
                promised("left", false, 20, 30, cpu(2000), "a"),
                promised("right", false, 20, 30, cpu(2000), "b"));

        Plan before = plan(List.of(node("a", 3000), node("b", 3000)), List.of(), requests);
        Plan plan = plan(
                List.of(node("a", 3000), node("b", 3000)), List.of(late("a", 1000, 25), late("b", 500, 25)), requests);

        assertThat(before.broken()).isEmpty();
        assertThat(plan.broken()).singleElement().satisfies(broken -> {
            assertThat(broken.gang().name()).isEqualTo("large");
            assertThat(broken.cause()).isEqualTo(Cause.OVERRUN);
            assertThat(broken.message()).isEqualTo("pod other/late on node a runs longer than expected");
        });
        assertThat(plan.windows())
                .filteredOn(planned -> planned.gang().id().name().equals("large"))
                .singleElement()
                .satisfies(planned -> assertThat(planned.window().start()).isEqualTo(NOW + 25));
    }

    @Test
    void severalSmallGangsDoNotGiveWayForOneLargeOneThatComesLater() {
        List<Request> requests = List.of(
                promised("first", false, 10, 20, cpu(1000), "a"),
                promised("second", false, 11, 21, cpu(1000), "a"),
                promised("wide", false, 12, 22, cpu(2000), "a"));

        Plan plan = plan(List.of(node("a", 4000)), List.of(late("a", 1000, 15)), requests);

        assertThat(broken(plan)).containsExactly("wide");
    }

    @Test
    void anEarlyGangGivesWayIfOnlyThatSavesTheOthers() {
        List<Request> requests = List.of(
                promised("wide", false, 10, 22, cpu(2000), "a"),
                promised("second", false, 11, 21, cpu(1000), "a"),
                promised("third", false, 12, 20, cpu(1000), "a"));

        Plan plan = plan(List.of(node("a", 4000)), List.of(late("a", 2000, 15)), requests);

        assertThat(broken(plan)).containsExactly("wide");
    }

    @Test
    void aReleasedGangIsKeptBeforeManyOthers() {
        List<Request> requests = List.of(
                promised("going", true, 10, 20, cpu(2000), "a"),
                promised("second", false, 5, 25, cpu(1000), "a"),
                promised("third", false, 6, 25, cpu(1000), "a"));

        Plan plan = plan(List.of(node("a", 4000)), List.of(late("a", 2000, 15)), requests);

        assertThat(broken(plan)).containsExactly("second", "third");
    }

    @Test
    void equalNumbersAreDecidedByFewerPodsAndThenLaterStarts() {
        List<Node> nodes = List.of(node("a", 2000), node("b", 2000));
        List<Occupation> load = List.of(late("a", 1000, 100));
        Request pair = promised("pair", false, 20, 30, cpu(1000), "a", "b");
        Request early = promised("early", false, 15, 25, cpu(1000), "a");
        Request same = promised("same", false, 20, 30, cpu(1000), "a");

        assertThat(broken(plan(nodes, load, List.of(pair, early)))).containsExactly("early");
        assertThat(broken(plan(nodes, load, List.of(early, same)))).containsExactly("same");
        assertThat(broken(plan(nodes, load, List.of(same, promised("alike", false, 20, 30, cpu(1000), "a")))))
                .containsExactly("same");
    }

    @Test
    void brokenGangIsServedBeforeOneThatCameAfterIt() {
        Request early = promised("z-early", false, 10, 20, cpu(2000), "a");
        Gang newcomer = new Gang(
                new GangId("user", "a-newcomer"),
                List.of("a-newcomer-0"),
                new PodRequest(cpu(2000), NodeConstraint.NONE, 10, true),
                Demand.NONE,
                0,
                NOW + 1);

        Plan plan = plan(
                List.of(node("a", 2000)), List.of(late("a", 1000, 15)), List.of(new Request(newcomer, null), early));

        assertThat(plan.windows())
                .extracting(
                        planned -> planned.gang().id().name(),
                        planned -> planned.window().start() - NOW)
                .containsExactly(tuple("z-early", 15L), tuple("a-newcomer", 25L));
    }

    @Test
    void theCauseIsTheLoadThatTakesTheRoomAndNotItsNeighbour() {
        Occupation foreign = new Occupation("other/foreign", "a", cpu(2000), new Interval(NOW, NOW + 30));
        Occupation lateBefore = late("a", 1000, 5);
        Occupation lateOfAnotherKind = new Occupation(
                "other/disk", "a", Resources.of(Map.of(Resources.MEMORY, 10L)), new Interval(NOW - 10, NOW + 50), true);

        Plan plan = plan(
                List.of(node("a", 3000)),
                List.of(foreign, lateBefore, lateOfAnotherKind),
                List.of(promised("g", false, 3, 40, cpu(1500), "a")));

        assertThat(plan.broken()).singleElement().satisfies(broken -> {
            assertThat(broken.cause()).isEqualTo(Cause.OVERRUN);
        });
        Plan later = plan(
                List.of(node("a", 3000)),
                List.of(foreign, lateBefore, lateOfAnotherKind),
                List.of(promised("g", false, 6, 40, cpu(1500), "a")));
        assertThat(later.broken()).singleElement().satisfies(broken -> {
            assertThat(broken.cause()).isEqualTo(Cause.ROOM_TAKEN);
            assertThat(broken.message()).isEqualTo("the room on node a is taken by other/foreign");
        });
    }

    @Test
    void aGangThatIsStillThereOnlyBecauseItStartedLateIsNamedAsThat() {
        Occupation foreign = new Occupation("other/foreign", "a", cpu(1000), new Interval(NOW, NOW + 30));
        Occupation behind = new Occupation("user/behind", "a", cpu(1000), new Interval(NOW - 2, NOW + 13), false, 4);
        Request after = promised("g", false, 12, 27, cpu(1500), "a");
        Request within = promised("g", false, 8, 23, cpu(1500), "a");

        Plan plan = plan(List.of(node("a", 3000)), List.of(foreign, behind), List.of(after));
        Plan anyway = plan(List.of(node("a", 3000)), List.of(foreign, behind), List.of(within));

        assertThat(plan.broken()).singleElement().satisfies(broken -> {
            assertThat(broken.cause()).isEqualTo(Cause.ROOM_TAKEN);
            assertThat(broken.message())
                    .isEqualTo("the room on node a is taken by user/behind, which started 4s after its promised start");
        });
        assertThat(anyway.broken())
                .singleElement()
                .satisfies(broken ->
                        assertThat(broken.message()).isEqualTo("the room on node a is taken by other/foreign"));
    }

    @Test
    void aNodeThatWasToBeBoughtIsNotProvisionedAndAnotherOneIsLost() {
        String purchase = "slotwise-0123456789abcdef";
        Request shares = promised("shares", false, 10, 20, cpu(1000), purchase);
        Request lost = promised("lost", false, 10, 20, cpu(1000), "slotwise-worker");
        Request buys = promised("buys", false, 10, 20, cpu(1000), purchase);
        Promise buying = promise(buys)
                .withOrders(List.of(new PurchaseOrder(purchase, "offer", NOW, NOW + 5, NOW + 50, 1_000_000, 1)));

        Plan plan = plan(List.of(node("a", 3000)), List.of(), List.of(new Request(buys.gang(), buying), lost, shares));

        assertThat(plan.broken())
                .extracting(broken -> broken.gang().name(), BrokenPromise::cause, BrokenPromise::message)
                .containsExactly(
                        tuple(
                                "buys",
                                Cause.NOT_PROVISIONED,
                                "node slotwise-0123456789abcdef was not available; its offer is not known"),
                        tuple("lost", Cause.NODE_LOST, "node slotwise-worker is gone"),
                        tuple(
                                "shares",
                                Cause.NOT_PROVISIONED,
                                "node slotwise-0123456789abcdef was not available; it was bought for another gang"));
    }

    @Test
    void nodeThatLostAResourceIsNamedWithIt() {
        Resources gpu = Resources.of(Map.of("nvidia.com/gpu", 1L, Resources.PODS, 1L));

        Plan plan = plan(
                List.of(node("a", 3000)),
                List.of(late("a", 1000, 100)),
                List.of(promised("g", false, 3, 40, gpu, "a")));

        assertThat(plan.broken()).singleElement().satisfies(broken -> {
            assertThat(broken.cause()).isEqualTo(Cause.ROOM_TAKEN);
            assertThat(broken.message()).isEqualTo("node a no longer has nvidia.com/gpu");
        });
    }

    @Test
    void promisesThatAreInNobodysWayAreNotSearched() {
        List<Stake> stakes =
                IntStream.range(0, 5).mapToObj(_ -> new Stake(false, 1)).toList();

        MinimumBrokenPromises fewest = new MinimumBrokenPromises(stakes, List.of());

        assertThat(fewest.broken().isEmpty()).isTrue();
        assertThat(fewest.bounded()).isFalse();
    }

    @Test
    void searchThatIsTooLargeIsBoundedAndStillGivesPromisesThatFit() {
        RandomGenerator random = seeded(1);
        for (int promises : List.of(400, MinimumBrokenPromises.MOST_TIED + 1)) {
            List<Stake> stakes = IntStream.range(0, promises)
                    .mapToObj(_ -> new Stake(random.nextInt(20) == 0, 1 + random.nextInt(9)))
                    .toList();
            List<CapacityConflict> conflicts = new ArrayList<>();
            for (int i = 0; i < promises; i++) {
                List<CapacityConflict.PromisedAmount> promisedAmounts = random.ints(0, promises)
                        .distinct()
                        .limit(6)
                        .sorted()
                        .mapToObj(promise -> new CapacityConflict.PromisedAmount(promise, 1 + random.nextLong(4)))
                        .toList();
                conflicts.add(new CapacityConflict(promisedAmounts, 4));
            }
            List<CapacityConflict> tight = conflicts.stream()
                    .filter(clash -> clash.promisedAmounts().stream()
                                    .mapToLong(CapacityConflict.PromisedAmount::amount)
                                    .sum()
                            > clash.room())
                    .toList();

            MinimumBrokenPromises fewest = new MinimumBrokenPromises(stakes, tight);

            BitSet broken = fewest.broken();
            assertThat(fewest.bounded()).isTrue();
            assertThat(tight)
                    .allSatisfy(clash -> assertThat(clash.promisedAmounts().stream()
                                    .filter(promisedAmount -> !broken.get(promisedAmount.promise()))
                                    .mapToLong(CapacityConflict.PromisedAmount::amount)
                                    .sum())
                            .isLessThanOrEqualTo(clash.room()));
            assertThat(new MinimumBrokenPromises(stakes, tight).broken()).isEqualTo(broken);
        }
    }

    @Test
    void hundredsOfPromisesOnNodesThatLoseRoomAreMostlySearchedToTheEnd() {
        int exact = 0;
        for (int seed = 0; seed < 5; seed++) {
            RandomGenerator random = seeded(seed);
            List<Node> nodes =
                    IntStream.range(0, 100).mapToObj(i -> node("n" + i, 4000)).toList();
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                long start = 1 + random.nextLong(60);
                String[] podNodes = IntStream.range(0, 1 + random.nextInt(3))
                        .mapToObj(_ -> "n" + random.nextInt(100))
                        .toArray(String[]::new);
                requests.add(promised("g" + i, false, start, start + 20, cpu(1000), podNodes));
            }
            List<Occupation> load = IntStream.range(0, 30)
                    .mapToObj(i -> late("n" + i, 2000, 50))
                    .toList();

            Plan plan = plan(nodes, load, requests);

            exact += plan.notes().isEmpty() ? 1 : 0;
        }
        assertThat(exact).isGreaterThan(3);
    }
}
