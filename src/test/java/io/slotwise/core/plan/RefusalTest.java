package io.slotwise.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Online;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Policy.Split.Choice;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every reason for which the planner leaves a gang without a window, on a cluster where the reason is obvious. */
class RefusalTest {
    /** 2030-01-01T00:00:00Z. */
    private static final long NOW = 1_893_456_000L;

    private static final long HOUR = 3600;
    private static final Policy POLICY = Policy.EXACT.withHorizon(24 * HOUR).withTurnover(0);

    /** Two nodes in two zones, each with room for two pods, at one unit per hour and pod. */
    private final List<Node> nodes = new ArrayList<>(List.of(node("n1", "a"), node("n2", "b")));

    private final List<Occupation> load = new ArrayList<>();
    private final List<Pending> held = new ArrayList<>();
    private List<Account> accounts = List.of();
    private Policy policy = POLICY;

    private static Node node(String name, String zone) {
        return node(name, zone, 2);
    }

    private static Node node(String name, String zone, long price) {
        return new Node(
                name,
                Map.of("zone", zone),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 2000L, Resources.PODS, 110L)),
                Performance.REFERENCE,
                "o",
                StepFunction.constant(price * 1_000_000),
                List.of());
    }

    private static Gang gang(String name, int pods, long runtime, Budget budget, long earliest, long deadline) {
        return new Gang(
                new GangId("user", name),
                IntStream.range(0, pods).mapToObj(i -> name + "-" + i).toList(),
                new PodRequest(
                        Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L)),
                        NodeConstraint.NONE,
                        runtime,
                        false),
                Demand.NONE.withBudget(budget).withEarliestStart(earliest).withDeadline(deadline),
                0,
                NOW);
    }

    private static Gang gang(int pods, long runtime) {
        return gang("g", pods, runtime, Budget.UNLIMITED, Long.MIN_VALUE, Interval.FOREVER);
    }

    private static Gang paying(String budget) {
        return gang("g", 2, HOUR, new Budget(Money.parse(budget), null), Long.MIN_VALUE, Interval.FOREVER);
    }

    private static Gang due(long deadline) {
        return gang("g", 4, HOUR, Budget.UNLIMITED, Long.MIN_VALUE, deadline);
    }

    private void busy(String node, long until) {
        load.add(new Occupation(
                "other/p-" + node,
                node,
                Resources.of(Map.of(Resources.CPU, 2000L, Resources.PODS, 1L)),
                new Interval(NOW - HOUR, until)));
    }

    /** Plans requests in their order, the last one without a promise. Returns the reason why the last one waits. */
    private Refusal refusal(Request... requests) {
        Snapshot snapshot = new Snapshot(NOW, new Cluster(nodes, load), List.of(requests), held).withAccounts(accounts);
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        GangId gang = requests[requests.length - 1].gang().id();
        return plan.pending().stream()
                .filter(pending -> pending.gang().equals(gang))
                .findFirst()
                .orElseThrow()
                .refusal();
    }

    private Refusal refusal(Gang... gangs) {
        return refusal(Arrays.stream(gangs).map(gang -> new Request(gang, null)).toArray(Request[]::new));
    }

    private static void assertSays(Refusal refusal, String key, String message) {
        assertThat(refusal.key()).isEqualTo(key);
        assertThat(refusal.message()).isEqualTo(message);
    }

    @Test
    void overBudgetStatesTheCheapestCostAndItsTime() {
        busy("n1", NOW + 2 * HOUR);
        busy("n2", NOW + 3 * HOUR);

        assertSays(
                refusal(paying("1.5")),
                "over-budget",
                "no window within budget: the cheapest costs 2 at 2030-01-01T02:00:00Z, the budget is 1.5");
    }

    @Test
    void overBudgetKeepsItsWordsWhileNothingButTimeChanges() {
        Refusal refusal = refusal(paying("1.5"));

        assertSays(refusal, "over-budget", "no window within budget: the cheapest costs 2, the budget is 1.5");
        assertThat(refusal).isEqualTo(new Refusal.OverBudget(Money.parse("2"), NOW, Money.parse("1.5"), true));
    }

    @Test
    void overThePriceLimitOfASlot() {
        Gang gang = gang("g", 2, HOUR, new Budget(null, Money.parse("0.9")), Long.MIN_VALUE, Interval.FOREVER);

        assertSays(refusal(gang), "over-slot-price", "no window within the price limit of 0.9 per hour and pod");
    }

    @Test
    void aDeadlineSaysTheEarliestEnd() {
        busy("n1", NOW + 2 * HOUR);

        assertSays(
                refusal(due(NOW + HOUR)),
                "deadline",
                "the deadline 2030-01-01T01:00:00Z cannot be met: the earliest end is 2030-01-01T03:00:00Z");
    }

    @Test
    void aDeadlineThatIsTooNearSaysHowLongItTakes() {
        assertSays(
                refusal(due(NOW + HOUR / 2)),
                "deadline",
                "the deadline 2030-01-01T00:30:00Z cannot be met: it would take 1h from now");
    }

    @Test
    void noEligibleNodeCountsWhatExcludesHowMany() {
        Gang free = gang(1, HOUR);
        NodeConstraint elsewhere = new NodeConstraint(Map.of("zone", "b"), List.of(), List.of(), Set.of("n2"));
        Gang gang = new Gang(
                free.id(),
                free.pods(),
                new PodRequest(free.request().resources(), elsewhere, HOUR, false),
                Demand.NONE,
                0,
                NOW);

        Refusal refusal = refusal(gang);

        assertSays(
                refusal,
                "no-eligible-node",
                "no eligible node among 2: 1 outside the node selector, 1 left out after a refusal");
        assertThat(refusal)
                .isEqualTo(new Refusal.NoEligibleNode(2, Map.of(Exclusion.SELECTOR, 1, Exclusion.AVOIDED, 1), null));
    }

    @Test
    void tooLargeSaysForHowManyThereIsRoom() {
        assertSays(
                refusal(gang(5, HOUR)),
                "too-large",
                "too large for the cluster: 5 pods, the eligible nodes take 4 when they are empty");
    }

    @Test
    void tooLargeForOneDomainNamesTheLabel() {
        Gang gang = new Gang(
                new GangId("user", "g"),
                List.of("g-0", "g-1", "g-2"),
                gang(1, HOUR).request(),
                Demand.NONE.withTopology(Topology.within(TopologyLevel.of("zone"))),
                0,
                NOW);

        assertSays(
                refusal(gang),
                "too-large",
                "too large for the cluster: 3 pods, the eligible nodes of one zone take 2 when they are empty, "
                        + "most of all a");
    }

    @Test
    void longerThanTheHorizonSaysBoth() {
        assertSays(
                refusal(gang(1, 30 * HOUR)),
                "longer-than-horizon",
                "longer than the horizon: it takes at least 30h, windows are planned 24h ahead");
    }

    @Test
    void anEarliestStartBeyondTheHorizonIsTooFarAway() {
        Gang gang = gang("g", 1, HOUR, Budget.UNLIMITED, NOW + 24 * HOUR, Interval.FOREVER);

        assertSays(
                refusal(gang),
                "beyond-horizon",
                "its earliest start 2030-01-02T00:00:00Z is too far away: windows are planned 24h ahead");
    }

    @Test
    void aRuntimeThatPassesTheHorizonByASecondIsNotAStartThatIsTooFarAway() {
        Gang gang = gang("g", 1, HOUR + 1, Budget.UNLIMITED, NOW + 23 * HOUR, Interval.FOREVER);

        assertSays(
                refusal(gang),
                "ends-beyond-horizon",
                "it would end beyond the horizon: from its earliest start 2030-01-01T23:00:00Z it takes "
                        + "at least 1h1s, windows are planned 24h ahead");
    }

    /** The highest possible price of a node, for the longest runtime. */
    @Test
    void nodesWithUncountableCostsAreLeftOutAndNamed() {
        policy = POLICY.withHorizon(87_600 * HOUR);
        nodes.replaceAll(node -> node(node.name(), "a", 1_000_000));

        Refusal refusal = refusal(gang(1, 87_600 * HOUR));

        assertThat(refusal.message()).contains("with a price beyond exact arithmetic");
    }

    @Test
    void behindPromisedGangsNamesTheFirstOfThem() {
        Gang early = gang("early", 2, 20 * HOUR, Budget.UNLIMITED, Long.MIN_VALUE, Interval.FOREVER);
        Gang late = gang("late", 2, 20 * HOUR, Budget.UNLIMITED, NOW + HOUR, Interval.FOREVER);

        assertSays(
                refusal(early, late, gang(4, 10 * HOUR)),
                "behind-promises",
                "behind promised gangs: user/early, which starts at 2030-01-01T00:00:00Z, and 1 other "
                        + "take the room up to the horizon");
    }

    @Test
    void runningLoadIsNoPromise() {
        busy("n1", Interval.FOREVER);

        assertSays(
                refusal(gang(3, HOUR)),
                "no-window",
                "no window for 3 pods at once in the next 24h: what runs and what owners keep for "
                        + "themselves leaves too little room");
    }

    @Test
    void behindTheFirstInTheQueueSaysWhenThatOneStarts() {
        policy = POLICY.withBatch(POLICY.batch().withSplit(new Split(1, 0, Choice.ORDER)))
                .withBackfill(Backfill.EASY);
        busy("n1", NOW + HOUR);
        Gang head = gang("a-head", 4, HOUR, Budget.UNLIMITED, Long.MIN_VALUE, Interval.FOREVER);

        assertSays(
                refusal(head, gang("g", 2, 2 * HOUR, Budget.UNLIMITED, Long.MIN_VALUE, Interval.FOREVER)),
                "behind",
                "behind user/a-head, which starts at 2030-01-01T01:00:00Z: it cannot start now without "
                        + "delaying that gang");
    }

    @Test
    void easyBackfillingReservesNothingForALaterStart() {
        policy = POLICY.withBatch(POLICY.batch().withSplit(new Split(1, 0, Choice.ORDER)))
                .withBackfill(Backfill.EASY);
        Gang head = gang("a-head", 4, HOUR, Budget.UNLIMITED, Long.MIN_VALUE, Interval.FOREVER);
        Gang later = gang("g", 1, HOUR, Budget.UNLIMITED, NOW + 5 * HOUR, Interval.FOREVER);
        busy("n1", NOW + HOUR);

        assertSays(
                refusal(head, later),
                "not-before",
                "its earliest start (2030-01-01T05:00:00Z) is in the future, and study.backfill: easy does not "
                        + "reserve ahead");
    }

    @Test
    void withoutBackfillTheCyclicPartMayLeaveAGangOver() {
        policy = POLICY.withBatch(POLICY.batch().withSplit(new Split(1, 0, Choice.ORDER)))
                .withBackfill(Backfill.NONE);

        assertSays(
                refusal(gang(1, HOUR)),
                "not-backfilled",
                "the cyclic part of the plan left it out, and the policy does not backfill");
    }

    @Test
    void anOnlineModePlacesInsideOneDomain() {
        Online online = POLICY.online();
        policy = POLICY.withOnline(new Online(Manner.EMCT, online.weights(), "zone"));

        assertSays(
                refusal(gang(3, HOUR)),
                "no-domain",
                "no window on nodes with one value of the label zone, as its mode requires");
    }

    @Test
    void aGangLeftOutByTheBatchsLimitStatesItsNeed() {
        policy = POLICY.withBatch(POLICY.batch()
                .serving(
                        Objective.USER,
                        new Limit(
                                Measure.COST,
                                OptionalLong.of(Cost.of(Money.parse("1.5")).microSecondsPerHour()))));

        assertSays(
                refusal(gang(2, HOUR)),
                "batch-limit",
                "left out of the batch: with it the least cost is 2, the policy's limit is 1.5; the "
                        + "whole batch needs 2");
    }

    @Test
    void aNamespaceBudgetThatIsSpentSaysUntilWhen() {
        accounts = List.of(new Account("user", NOW - HOUR, NOW + 48 * HOUR, Cost.of(Money.parse("0.5"))));

        assertSays(
                refusal(gang(2, HOUR)),
                "namespace-budget",
                "no window within the budget of namespace user: the cheapest costs 2, 0.5 is left until "
                        + "2030-01-03T00:00:00Z");
    }

    @Test
    void gangsHeldBeforePlanningHaveReasonKeysToo() {
        assertSays(
                new Refusal.WaitingForMembers(3, 4), "waiting-for-members", "waiting for members: 3 of 4 pods exist");
        assertSays(
                new Refusal.WaitingForGroup("PodGroup", "scheduling.x-k8s.io", "user/g"),
                "waiting-for-group",
                "waiting for PodGroup user/g (scheduling.x-k8s.io): it defines how many pods start "
                        + "together, and does not exist");
        assertThat(new Refusal.InvalidRequest("what is wrong").key()).isEqualTo("invalid-request");
        assertSays(
                new Refusal.ForeignGate("user/p", "queue"),
                "foreign-gate",
                "waiting for pod user/p: another controller must remove its scheduling gate (queue)");
    }
}
