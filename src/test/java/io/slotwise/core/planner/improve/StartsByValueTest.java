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
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.InPlan;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Gangs that start now, wait for cheaper nodes, or keep room from others, within their promises. */
class StartsByValueTest {
    private static final long NOW = RandomClusters.NOW;
    private static final Policy BY_STARTS = saving(2)
            .withSlack(new PromiseSlack(0, 1_000_000, 0, 0, 1_000_000))
            .withQueue(Policy.EXACT.queue().by(Order.VALUE));

    private static Policy saving(int times) {
        Policy usual = policy(100_000, 0).withSlack(new PromiseSlack(0, 1_000_000, 0));
        return usual.withBatch(usual.batch().serving(Objective.MAX_VALUE, Limit.NONE))
                .withLeastSaving(times * 1_000_000);
    }

    /** The cheap node saves 0.139, and thirty seconds are worth 0.05 to the gang. */
    @Test
    void aGangWaitsForACheaperNodeOnlyIfThatSavesMuchMoreThanTheDelay() {
        List<Node> nodes = List.of(oneCore("a", 1_000_000), oneCore("b", 1_500_000));
        Gang gang = valued("g", 1, 1_000, 6);

        Plan waits = plan(saving(2), nodes, List.of(runs("a", 100, 30)), new Request(gang, null));
        Plan starts = plan(saving(3), nodes, List.of(runs("a", 100, 30)), new Request(gang, null));

        assertThat(start(waits, "g")).isEqualTo(30);
        assertThat(start(starts, "g")).isZero();
    }

    /** The run is expected to use 140 of its 400 s, so the node is free in 40 s instead of 300. */
    @Test
    void theWaitLastsToTheExpectedEndAndThePromiseToTheFullRuntime() {
        List<Node> nodes = List.of(oneCore("a", 1_000_000), oneCore("b", 1_500_000));
        Gang gang = valued("g", 1, 1_000, 1);
        Policy policy = saving(4).withExpectedUse(350_000);

        Plan waits = plan(policy, nodes, List.of(runs("a", 100, 300)), new Request(gang, null));
        Plan starts =
                plan(policy.withExpectedUse(1_000_000), nodes, List.of(runs("a", 100, 300)), new Request(gang, null));

        assertThat(start(waits, "g")).isEqualTo(300);
        assertThat(Objects.requireNonNull(InPlan.planned(waits, "g").bound()).start())
                .isEqualTo(NOW + 1_300);
        assertThat(start(starts, "g")).isZero();
    }

    /** The same if running gangs of the namespace have used so little lately, whatever the policy expects. */
    @Test
    void theExpectedEndFollowsTheNamespacesRecentUse() {
        List<Node> nodes = List.of(oneCore("a", 1_000_000), oneCore("b", 1_500_000));
        Snapshot unknown = snapshot(nodes, List.of(runs("a", 100, 300)), new Request(valued("g", 1, 1_000, 1), null));
        Planner planner = new Planner(saving(4));

        Plan starts = planner.plan(unknown);
        Plan waits = planner.plan(unknown.withUses(Map.of("other", 350_000)));

        assertThat(start(starts, "g")).isZero();
        assertThat(start(waits, "g")).isEqualTo(300);
    }

    /** The gang is expected to use three and a half of its ten hours, all before prices are halved in four hours. */
    @Test
    void aStartNowCostsItsExpectedPart() {
        List<Node> nodes = List.of(oneCore("a", 1_000_000)
                .at(StepFunction.startingAt(1_000_000)
                        .then(NOW + 14_400, 500_000)
                        .build()));
        Gang gang = GangBuilder.gang("g", 1, 1_000, 36_000)
                .criterion(Criterion.VALUE)
                .valueOfTime(new Money(400_000))
                .arrival(NOW)
                .build();

        Plan plan = plan(saving(1).withExpectedUse(350_000), nodes, List.of(), new Request(gang, null));

        assertThat(start(plan, "g")).isEqualTo(14_400);
    }

    /** Without the first gang's reservation the middle one would start now. The last one ends before it. */
    @Test
    void onlyTheFirstThatCannotStartKeepsRoom() {
        List<Node> nodes = List.of(oneCore("a", 0), oneCore("b", 0));
        Gang first = valued("first", 2, 100, 100);
        Gang middle = valued("middle", 1, 500, 10);
        Gang last = valued("last", 1, 90, 1);

        Plan plan = plan(
                BY_STARTS,
                nodes,
                List.of(runs("a", 10, 100)),
                new Request(first, null),
                new Request(middle, null),
                new Request(last, null));

        assertThat(start(plan, "first")).isEqualTo(100);
        assertThat(start(plan, "last")).isZero();
        assertThat(start(plan, "middle")).isEqualTo(200);
    }

    /** Slack lets the gang with the lower value of time be passed, until its promised start. */
    @Test
    void aPromisedGangIsPassedUntilItsPromisedStartOnly() {
        List<Node> nodes = List.of(oneCore("a", 0));
        Gang poor = valued("poor", 1, 100, 1);
        Snapshot first = snapshot(nodes, List.of(runs("a", 10, 10)), new Request(poor, null));
        Request promised =
                first.published(new Planner(BY_STARTS).plan(first)).requests().getFirst();

        Plan passed = plan(BY_STARTS, nodes, List.of(), promised, new Request(valued("rich", 1, 110, 9), null));
        Plan kept = plan(BY_STARTS, nodes, List.of(), promised, new Request(valued("rich", 1, 111, 9), null));

        assertThat(Objects.requireNonNull(promised.promise()).bound().start()).isEqualTo(NOW + 110);
        assertThat(start(passed, "rich")).isZero();
        assertThat(start(passed, "poor")).isEqualTo(110);
        assertThat(start(kept, "poor")).isZero();
        assertThat(start(kept, "rich")).isEqualTo(100);
    }

    /**
     * The gang was promised the cheap node and a cost that permits the expensive one, which it gets once that is
     * better.
     */
    @Test
    void anExpensiveNodeIsTakenWithinThePromisedCost() {
        Policy exact = BY_STARTS.withSlack(new PromiseSlack(0, 1_000_000, 0));

        assertThat(startOnceTheDearNodeIsFree(BY_STARTS)).isZero();
        assertThat(startOnceTheDearNodeIsFree(exact)).isEqualTo(400);
    }

    private static long startOnceTheDearNodeIsFree(Policy policy) {
        List<Node> nodes = List.of(oneCore("cheap", 1_000_000), oneCore("dear", 1_500_000));
        Occupation run = runs("cheap", 10, 400);
        Snapshot first =
                snapshot(nodes, List.of(run, runs("dear", 10, 500)), new Request(valued("g", 1, 1_000, 6), null));
        Request promised =
                first.published(new Planner(policy).plan(first)).requests().getFirst();
        return start(plan(policy, nodes, List.of(run), promised), "g");
    }

    private static Gang valued(String name, int pods, long runtime, long hour) {
        return GangBuilder.gang(name, pods, 1_000, runtime)
                .criterion(Criterion.VALUE)
                .valueOfTime(new Money(hour * Money.MICROS_PER_UNIT))
                .arrival(NOW)
                .build();
    }

    private static Snapshot snapshot(List<Node> nodes, List<Occupation> runs, Request... requests) {
        return new Snapshot(NOW, new Cluster(nodes, runs), List.of(requests), List.of());
    }

    private static Plan plan(Policy policy, List<Node> nodes, List<Occupation> runs, Request... requests) {
        Snapshot snapshot = snapshot(nodes, runs, requests);
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        assertThat(plan.broken()).isEmpty();
        return plan;
    }

    private static Occupation runs(String node, long since, long until) {
        return new Occupation(
                "other/" + node,
                node,
                Resources.of(Map.of(Resources.CPU, 1000L)),
                new Interval(NOW - since, NOW + until));
    }

    private static long start(Plan plan, String name) {
        return InPlan.planned(plan, name).window().start() - NOW;
    }
}
