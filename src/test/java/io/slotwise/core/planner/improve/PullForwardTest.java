package io.slotwise.core.planner.improve;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.testing.PlanBuilder.oneCore;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.InPlan;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Whole nodes of one kind, and promises without slack. {@code wide} is promised two nodes from second 100 on, and
 * {@code long} one node from 200 on. The pod on the first node, expected to run until 100, has ended.
 */
class PullForwardTest {
    private static final long NOW = 1_000_000;
    private static final Policy POLICY = policy(10_000, 0).withSlack(PromiseSlack.NONE);
    private static final Gang WIDE = gang("wide", 2, 100, 1);
    private static final Gang LONG = gang("long", 1, 150, 2);

    private final List<Node> nodes = new ArrayList<>(List.of(oneCore("a", 0), oneCore("b", 0), oneCore("c", 0)));
    private final List<Occupation> runs = new ArrayList<>(List.of(runs("b", 100), runs("c", 100)));

    @Test
    void gangStartsSoonerWhereOneThatIsPromisedMayHaveAnotherNode() {
        Plan plan = plan(POLICY, promised(WIDE, 100, "a", "c"), promised(LONG, 200, "a"));

        assertThat(window(plan, "long").start()).isEqualTo(NOW);
        assertThat(nodes(plan, "long")).containsExactly("a");
        assertThat(window(plan, "wide").start()).isEqualTo(NOW + 100);
        assertThat(nodes(plan, "wide")).containsExactly("b", "c");
        assertThat(plan.broken()).isEmpty();
        assertThat(plan.windows()).extracting(Planned::kept).containsExactly(false, false);
    }

    @Test
    void severalChangeTheirNodesAndTheSumOfStartsIsTheLeast() {
        Gang third = gang("third", 1, 100, 3);

        Plan plan = plan(POLICY, promised(WIDE, 100, "a", "c"), promised(third, 150, "b"), promised(LONG, 200, "a"));

        assertThat(window(plan, "third").start()).isEqualTo(NOW);
        assertThat(window(plan, "wide").start()).isEqualTo(NOW + 100);
        assertThat(window(plan, "long").start()).isEqualTo(NOW + 100);
    }

    @Test
    void newGangStartsSoonerInTheSameWay() {
        Plan plan = plan(POLICY, promised(WIDE, 100, "a", "c"), new Request(LONG, null));

        assertThat(window(plan, "long").start()).isEqualTo(NOW);
        assertThat(nodes(plan, "wide")).containsExactly("b", "c");
    }

    @Test
    void roomThatAGangLeavesIsThereInTheSameCycleForThoseBehindIt() {
        runs.clear();
        nodes.subList(1, 3).clear();
        Gang first = gang("first", 1, 100, 1);
        Gang second = gang("second", 1, 100, 2);

        Plan plan = plan(POLICY, promised(first, 100, "a"), promised(second, 200, "a"));

        assertThat(window(plan, "first").start()).isEqualTo(NOW);
        assertThat(window(plan, "second").start()).isEqualTo(NOW + 100);
    }

    @Test
    void aGangPromisedAMomentAgoMakesNoRoom() {
        Request wide = promised(WIDE, 100, "a", "c");
        Request fresh = new Request(wide.gang(), wide.promise()).withFresh(true);

        Plan plan = plan(POLICY, fresh, promised(LONG, 200, "a"));

        assertThat(nodes(plan, "wide")).containsExactly("a", "c");
        assertThat(window(plan, "long").start()).isEqualTo(NOW + 100);
    }

    /** The promise starts no earlier than second 4, and is recent, so that it makes no room. */
    @Test
    void aNewGangStartsInTheRoomThatAPromiseLeavesForACheaperNode() {
        Plan plan = leftForACheaperNode(Criterion.START);

        assertThat(nodes(plan, "first")).containsExactly("b");
        assertThat(window(plan, "first").start()).isEqualTo(NOW + 4);
        assertThat(window(plan, "next").start()).isEqualTo(NOW);
        assertThat(nodes(plan, "next")).containsExactly("a");
    }

    @Test
    void aNewGangThatMinimizesCostKeepsTheCheapestRoom() {
        Plan plan = leftForACheaperNode(Criterion.COST);

        assertThat(nodes(plan, "next")).containsExactly("b");
        assertThat(window(plan, "next").start()).isEqualTo(NOW + 24);
    }

    private Plan leftForACheaperNode(Criterion criterion) {
        runs.clear();
        nodes.set(0, oneCore("a", 2_000_000));
        nodes.set(1, oneCore("b", 1_000_000));
        nodes.subList(2, 3).clear();
        Gang first = GangBuilder.gang("first", 1, 1000, 20)
                .criterion(Criterion.START)
                .arrival(1)
                .earliestStart(NOW + 4)
                .build();
        Placement dear = new Placement("first-0", "a", NOW + 4, NOW + 24, new Cost(20 * 2_000_000L));
        Promise promise = new Promise(Window.of(first.id(), NOW + 4, List.of(dear)), WindowOrigin.CYCLIC, false);
        Gang next = gang("next", 1, 20, 2).wanting(criterion);
        return plan(POLICY, new Request(first, promise).withFresh(true), new Request(next, null));
    }

    @Test
    void aGangThatWouldPayMoreStaysAndSoDoesTheOneThatWantsItsRoom() {
        nodes.set(1, oneCore("b", 2_000_000));

        Plan plan = plan(POLICY, promised(WIDE, 100, "a", "c"), promised(LONG, 200, "a"));

        assertThat(plan.windows()).allMatch(Planned::kept);
    }

    @Test
    void aGangThatMinimizesCostIsPulledForwardIfNothingIsCheaper() {
        Plan plan = plan(POLICY, promised(WIDE, 100, "a", "c"), promised(LONG.wanting(Criterion.COST), 200, "a"));

        assertThat(window(plan, "long").start()).isEqualTo(NOW);
        assertThat(nodes(plan, "wide")).containsExactly("b", "c");
    }

    @Test
    void aGangThatMinimizesCostGetsACheaperWindowInsteadOfAnEarlierOne() {
        nodes.subList(2, 3).clear();
        nodes.set(0, oneCore("a", 1_000_000));
        nodes.set(1, oneCore("b", 2_000_000));
        runs.clear();
        runs.add(runs("a", 150));
        Gang thrifty = LONG.wanting(Criterion.COST);
        Placement placement = new Placement("long-0", "b", NOW + 200, NOW + 350, new Cost(150 * 2_000_000L));
        Window dear = Window.of(thrifty.id(), NOW + 200, List.of(placement));

        Plan plan = plan(POLICY, new Request(thrifty, new Promise(dear, WindowOrigin.CYCLIC, false)));

        assertThat(window(plan, "long").start()).isEqualTo(NOW + 150);
        assertThat(nodes(plan, "long")).containsExactly("a");
    }

    @Test
    void podsOnTheirWayStayAndOthersMoveWhereTheyCanWithoutThem() {
        Request wide = promised(WIDE, 100, "a", "c");
        Promise promise = new Promise(Objects.requireNonNull(wide.promise()).window(), WindowOrigin.CYCLIC, true);

        Plan plan = plan(POLICY, wide.with(promise), promised(LONG, 200, "a"));

        assertThat(nodes(plan, "wide")).containsExactly("a", "c");
        assertThat(window(plan, "long").start()).isEqualTo(NOW + 100);
        assertThat(nodes(plan, "long")).containsExactly("b");
    }

    @Test
    void underReplanNeverNoGangMoves() {
        Policy never = POLICY.withReplan(Replan.NEVER);

        Plan plan = plan(never, promised(WIDE, 100, "a", "c"), promised(LONG, 200, "a"));

        assertThat(plan.windows()).allMatch(Planned::kept);
    }

    @Test
    void underAnotherObjectiveNoGangMoves() {
        Policy cheap = POLICY.withBatch(POLICY.batch().serving(Objective.MIN_COST, Limit.NONE));

        Plan plan = plan(cheap, promised(WIDE, 100, "a", "c"), promised(LONG, 200, "a"));

        assertThat(nodes(plan, "wide")).containsExactly("a", "c");
        assertThat(window(plan, "long").start()).isEqualTo(NOW + 100);
    }

    @Test
    void noGangMovesForAGainBelowThePolicysThreshold() {
        runs.set(0, runs("b", 110));
        runs.set(1, runs("c", 120));
        runs.add(runs("a", 190));
        Policy half = POLICY.withReplanGain(500_000);

        Plan kept = plan(half, promised(LONG, 200, "b"));
        Plan moved = plan(POLICY, promised(LONG, 200, "b"));

        assertThat(kept.windows()).allMatch(Planned::kept);
        assertThat(window(moved, "long").start()).isEqualTo(NOW + 110);
    }

    private Plan plan(Policy policy, Request... requests) {
        Snapshot snapshot = new Snapshot(NOW, new Cluster(nodes, runs), List.of(requests), List.of());
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        return plan;
    }

    private static Window window(Plan plan, String gang) {
        return InPlan.planned(plan, gang).window();
    }

    private static List<String> nodes(Plan plan, String gang) {
        return window(plan, gang).placements().stream().map(Placement::node).toList();
    }

    private static Gang gang(String name, int pods, long runtime, long arrival) {
        return GangBuilder.gang(name, pods, 1000, runtime)
                .criterion(Criterion.START)
                .arrival(arrival)
                .build();
    }

    private static Request promised(Gang gang, long from, String... on) {
        long start = NOW + from;
        long end = start + gang.runtime();
        List<Placement> placements = IntStream.range(0, on.length)
                .mapToObj(i -> new Placement(gang.pods().get(i), on[i], start, end, Cost.ZERO))
                .toList();
        return new Request(gang, new Promise(Window.of(gang.id(), start, placements), WindowOrigin.CYCLIC, false));
    }

    private static Occupation runs(String node, long seconds) {
        return new Occupation(
                "other/" + node,
                node,
                Resources.of(Map.of(Resources.CPU, 1000L)),
                new Interval(NOW - 10, NOW + seconds));
    }
}
