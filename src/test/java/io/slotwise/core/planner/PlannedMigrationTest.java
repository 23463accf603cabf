package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.DisruptionLimit;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.GangProgress;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.InPlan;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.RunningGangs;
import io.slotwise.testing.Usual;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Moves of running gangs on a cluster of one big node and four small ones. The four pods of the running gang fill the
 * big node or the small ones. 400 s of its hour of work are done. It takes 30 s to stop and 10 s more to be back, and
 * the overhead is a minute.
 */
class PlannedMigrationTest {
    private static final long NOW = RandomClusters.NOW;
    private static final long DONE = 400;
    private static final long STOP = 30;
    private static final long BACK = 40;

    private final List<Node> nodes = new ArrayList<>(List.of(
            node("big", 4, "a", 1_000_000),
            node("s1", 1, "b", 1_000_000),
            node("s2", 1, "b", 1_000_000),
            node("s3", 1, "b", 1_000_000),
            node("s4", 1, "b", 1_000_000)));
    private final List<Occupation> load = new ArrayList<>();
    private Gang runner = runner().build();
    private MigrationPolicy rules = new MigrationPolicy(Reach.EXTERNAL, 1, 300, 60);

    private static Node node(String name, int cores, String zone, long microsPerHourAndCore) {
        return node(name, cores, zone, microsPerHourAndCore, Performance.REFERENCE);
    }

    private static Node node(String name, int cores, String zone, long microsPerHourAndCore, Performance performance) {
        return new Node(
                name,
                Map.of("topology.kubernetes.io/zone", zone),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, cores * 1000L, Resources.PODS, 110L)),
                performance,
                "o",
                StepFunction.constant(microsPerHourAndCore * cores),
                List.of());
    }

    private static Window to(Move move) {
        return Objects.requireNonNull(move.targetWindow());
    }

    private static GangBuilder runner() {
        return gang("runner", 4, 1000, 3600);
    }

    private static GangBuilder gang(String name, int pods, long cpu, long runtime) {
        return GangBuilder.gang(name, pods, cpu, runtime).arrival(NOW - 10);
    }

    /** A gang of four cores on one node, which only the big node has. */
    private static Gang large(long runtime, int priority) {
        return gang("large", 1, 4000, runtime).priority(priority).build();
    }

    private Running running() {
        return running(NOW - DONE);
    }

    private Running running(long startedAt) {
        return RunningGangs.of(
                runner, Collections.nCopies(4, nodes.getFirst()), startedAt, NOW, new EvictionTiming(STOP, BACK));
    }

    private Snapshot snapshot(Running running, Request... requests) {
        return snapshot(running, List.of(), requests);
    }

    private Snapshot snapshot(Running running, List<Account> accounts, Request... requests) {
        List<Occupation> all = new ArrayList<>(load);
        all.addAll(running.room());
        return new Snapshot(NOW, new Cluster(nodes, all), List.of(requests), List.of())
                .withAccounts(accounts)
                .withRunning(List.of(running));
    }

    private Policy base() {
        return policy(24 * 3600, 0).withPreemption(Policy.Preempting.RUNNING).withMigration(rules);
    }

    private static Plan plan(Policy policy, Snapshot snapshot) {
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        return plan;
    }

    private Plan plan(Running running, Gang... gangs) {
        return plan(
                base(),
                snapshot(
                        running,
                        List.of(gangs).stream()
                                .map(gang -> new Request(gang, null))
                                .toArray(Request[]::new)));
    }

    private static List<String> nodesOf(Move move) {
        return to(move).placements().stream().map(Placement::node).toList();
    }

    @Test
    void theObserverSeesSearchesForMoves() {
        List<Criterion> told = new ArrayList<>();
        SearchObserver observer = new SearchObserver() {
            @Override
            public <T> T around(Criterion criterion, Supplier<T> search) {
                told.add(criterion);
                return search.get();
            }
        };
        runner = runner().criterion(Criterion.RUNTIME).build();
        Snapshot snapshot = snapshot(running(), new Request(large(600, 0), null));

        new Planner(
                        base().withMigration(MigrationPolicy.NONE),
                        new PlannerResources(Workers.CALLER, RandomSource.NONE, observer))
                .plan(snapshot);
        assertThat(told).isNotEmpty().doesNotContain(Criterion.RUNTIME);

        new Planner(base(), new PlannerResources(Workers.CALLER, RandomSource.NONE, observer)).plan(snapshot);
        assertThat(told).contains(Criterion.RUNTIME);
    }

    @Test
    void aGangMovesToSmallNodesSoThatALargeOneStarts() {
        Plan plan = plan(running(), large(600, 0));

        assertThat(InPlan.planned(plan, "large").window().start()).isEqualTo(NOW + STOP);
        assertThat(InPlan.planned(plan, "large").origin()).isEqualTo(WindowOrigin.MIGRATION);
        assertThat(plan.moves()).singleElement().satisfies(move -> {
            assertThat(nodesOf(move)).containsExactly("s1", "s2", "s3", "s4");
            assertThat(to(move).start()).isEqualTo(NOW + BACK);
            assertThat(move.work()).isEqualTo(3200);
            assertThat(to(move).runtime()).isEqualTo(3260);
            assertThat(move.reach()).isEqualTo(Reach.EXTERNAL);
            assertThat(move.purpose()).isEqualTo(new Move.Start(new GangId("user", "large"), 3200 - 30, 4 * 100));
        });
        assertThat(InPlan.planned(plan, "runner").window())
                .isEqualTo(plan.moves().getFirst().targetWindow());
    }

    @Test
    void nothingMovesWithoutThePolicy() {
        rules = MigrationPolicy.NONE;

        Plan plan = plan(running(), large(600, 0));

        assertThat(plan.moves()).isEmpty();
        assertThat(InPlan.planned(plan, "large").window().start()).isEqualTo(NOW + 3200);
    }

    @Test
    void aGangRunsForTheLeastRunBeforeItIsMoved() {
        assertThat(plan(running(NOW - 299), large(600, 0)).moves()).isEmpty();
        assertThat(plan(running(NOW - 300), large(600, 0)).moves()).hasSize(1);
    }

    @Test
    void aGangIsMovedNoOftenerInAnHourThanThePolicySays() {
        Running running = running();
        Running movedBefore = Usual.running(
                running.gang(), running.progress(), running.room(), running.timing(), List.of(NOW - 5000, NOW - 3599));
        Running movedLongAgo = Usual.running(
                running.gang(), running.progress(), running.room(), running.timing(), List.of(NOW - 3600));

        assertThat(plan(movedBefore, large(600, 0)).moves()).isEmpty();
        assertThat(plan(movedLongAgo, large(600, 0)).moves()).hasSize(1);
        rules = new MigrationPolicy(Reach.EXTERNAL, 2, 300, 60);
        assertThat(plan(movedBefore, large(600, 0)).moves()).hasSize(1);
        rules = new MigrationPolicy(Reach.EXTERNAL, 0, 300, 60);
        assertThat(plan(running, large(600, 0)).moves()).isEmpty();
    }

    @Test
    void localMigrationStaysInTheDomainAndMayOnlyWait() {
        rules = new MigrationPolicy(Reach.LOCAL, 1, 300, 60);

        Plan plan = plan(running(), large(600, 0));

        assertThat(plan.moves()).singleElement().satisfies(move -> {
            assertThat(nodesOf(move)).containsOnly("big");
            assertThat(to(move).start()).isEqualTo(NOW + STOP + 600);
            assertThat(move.reach()).isEqualTo(Reach.LOCAL);
        });
    }

    @Test
    void nothingMovesWhereMoreIsLostThanGained() {
        rules = new MigrationPolicy(Reach.LOCAL, 1, 300, 60);

        Plan plan = plan(running(), large(1200, 0));

        assertThat(plan.moves()).isEmpty();
    }

    @Test
    void aHigherPriorityInterruptsAWholeGangDespiteItsLoss() {
        rules = new MigrationPolicy(Reach.LOCAL, 1, 300, 60);

        Plan plan = plan(running(), large(1200, 1));

        assertThat(InPlan.planned(plan, "large").window().start()).isEqualTo(NOW + STOP);
        assertThat(plan.moves())
                .singleElement()
                .extracting(Move::purpose)
                .isEqualTo(new Move.Interruption(new GangId("user", "large"), 3170, 4 * 100));
    }

    @Test
    void noGangMakesWayForOneOfLowerPriority() {
        runner = runner().priority(5).build();

        assertThat(plan(running(), large(600, 4)).moves()).isEmpty();
        assertThat(plan(running(), large(600, 5)).moves()).hasSize(1);
    }

    @Test
    void anInterruptedGangRunsTheMinimumAndIsInterruptedWithinTheLimit() {
        rules = new MigrationPolicy(Reach.LOCAL, 1, 300, 60);
        Running running = running();
        Running moved = Usual.running(
                running.gang(), running.progress(), running.room(), running.timing(), List.of(NOW - 3599));

        assertThat(plan(running(NOW - 299), large(1200, 9)).moves()).isEmpty();
        assertThat(plan(running(NOW - 300), large(1200, 9)).moves()).hasSize(1);
        assertThat(plan(moved, large(1200, 9)).moves()).isEmpty();
    }

    @Test
    void aGangStaysWhereItsDisruptionBudgetDoesNotLetAllOfItGo() {
        List<DisruptionLimit> three = List.of(new DisruptionLimit("user/budget", 4, 3));
        List<DisruptionLimit> four = List.of(new DisruptionLimit("user/budget", 4, 4));

        assertThat(plan(RunningGangs.guarded(running(), three), large(1200, 0)).moves())
                .isEmpty();
        assertThat(plan(RunningGangs.guarded(running(), four), large(1200, 0)).moves())
                .hasSize(1);
    }

    @Test
    void aGangUnderADisruptionBudgetStaysAlthoughItCostsLessElsewhere() {
        nodes.set(0, node("big", 4, "a", 10_000_000));
        runner = runner().criterion(Criterion.COST).build();

        assertThat(plan(running()).moves()).hasSize(1);
        assertThat(plan(RunningGangs.guarded(running(), List.of(new DisruptionLimit("user/budget", 1, 0))))
                        .moves())
                .isEmpty();
    }

    @Test
    void theRoomIsFreeBeforeThePodsAreThereAgain() {
        Plan plan = plan(running(), large(5, 0));

        assertThat(InPlan.planned(plan, "large").window().start()).isEqualTo(NOW + STOP);
        assertThat(plan.moves()).singleElement().satisfies(move -> {
            assertThat(move.back()).isEqualTo(NOW + BACK);
            assertThat(to(move).start()).isEqualTo(NOW + BACK);
        });
    }

    @Test
    void aGangThatHasNoWindowAtAllCountsToTheEndOfTheHorizon() {
        runner = gang("runner", 4, 1000, 30 * 3600).build();

        Plan plan = plan(running(), large(600, 0));

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.pending()).hasSize(1);

        runner = gang("runner", 4, 1000, 24 * 3600).build();
        plan = plan(running(), large(24 * 3600 - 100, 0));

        assertThat(plan.pending()).isEmpty();
        assertThat(plan.moves())
                .singleElement()
                .extracting(Move::purpose)
                .isEqualTo(new Move.Start(new GangId("user", "large"), 24 * 3600 - 30, 4 * 100));
    }

    @Test
    void paidAndNewCostStayWithinTheBudget() {
        long spent = 4 * 400;
        long rest = 4 * 3260;
        runner = runner().budget(budget(spent + rest)).build();
        assertThat(plan(running(), large(1200, 0)).moves()).hasSize(1);

        runner = runner().budget(budget(spent + rest - 1)).build();
        assertThat(plan(running(), large(1200, 0)).moves()).isEmpty();
    }

    /**
     * So many core seconds at a unit per hour. The paid and the remaining part are rounded to a millionth separately.
     */
    private static Budget budget(long coreSeconds) {
        return new Budget(new Money(Math.ceilDiv(coreSeconds * 1_000_000, 3600) + 1), null);
    }

    @Test
    void theNewWindowEndsByTheDeadline() {
        runner = runner().deadline(NOW + 3300).build();
        assertThat(plan(running(), large(600, 0)).moves()).hasSize(1);

        runner = runner().deadline(NOW + 3299).build();
        assertThat(plan(running(), large(600, 0)).moves()).isEmpty();
    }

    @Test
    void theMoneyOfTheLostSecondsIsFreeForTheNewWindow() {
        Account rich = new Account("user", NOW - 5000, NOW + 5000, cost(4 * 60 + 4 * 600));
        Account poor = new Account("user", NOW - 5000, NOW + 5000, cost(4 * 60 + 4 * 600 - 1));

        assertThat(plan(base(), snapshot(running(), List.of(rich), new Request(large(600, 0), null)))
                        .moves())
                .hasSize(1);
        assertThat(plan(base(), snapshot(running(), List.of(poor), new Request(large(600, 0), null)))
                        .moves())
                .isEmpty();
    }

    private static Cost cost(long coreSeconds) {
        return new Cost(coreSeconds * 1_000_000);
    }

    @Test
    void aMoveTakesNoRoomThatIsPromisedToOthers() {
        Gang small = gang("small", 1, 1000, 9000).build();
        Snapshot first = snapshot(running(), new Request(small, null));
        Promise promise =
                new Promise(InPlan.planned(plan(base(), first), "small").window(), WindowOrigin.CYCLIC, false);

        Plan plan = plan(base(), snapshot(running(), new Request(small, promise), new Request(large(600, 0), null)));

        assertThat(InPlan.planned(plan, "small").kept()).isTrue();
        assertThat(plan.moves())
                .singleElement()
                .satisfies(move -> assertThat(nodesOf(move)).containsOnly("big"));
    }

    @Test
    void aPromiseIsReplacedByABetterOneUnlessThePolicyLeavesItAlone() {
        rules = MigrationPolicy.NONE;
        Gang large = large(600, 0);
        Plan before = plan(running(), large);
        Promise promise = new Promise(InPlan.planned(before, "large").window(), WindowOrigin.CYCLIC, false);
        rules = new MigrationPolicy(Reach.EXTERNAL, 1, 300, 60);

        Plan plan = plan(base(), snapshot(running(), new Request(large, promise)));

        assertThat(InPlan.planned(plan, "large").window().start()).isEqualTo(NOW + STOP);
        assertThat(plan(base().withReplan(Replan.NEVER), snapshot(running(), new Request(large, promise)))
                        .moves())
                .isEmpty();
        assertThat(plan(
                                base(),
                                snapshot(
                                        running(),
                                        new Request(large, new Promise(promise.window(), WindowOrigin.CYCLIC, true))))
                        .moves())
                .isEmpty();
    }

    @Test
    void aGangMovesForMoneyWhereItsCriterionAllowsALaterEnd() {
        nodes.add(node("cheap", 4, "b", 900_000));
        runner = runner().criterion(Criterion.COST).build();

        Plan plan = plan(running());

        assertThat(plan.moves()).singleElement().satisfies(move -> {
            assertThat(nodesOf(move)).containsOnly("cheap");
            assertThat(move.purpose()).isEqualTo(new Move.Saving(new Cost(4 * (3200 * 1_000_000L - 3260 * 900_000L))));
        });
        runner = runner().build();
        assertThat(plan(running()).moves()).isEmpty();
    }

    @Test
    void aGangThatMayNotEndLaterMovesForMoneyToAFasterNode() {
        nodes.add(node("fast", 4, "b", 1_500_000, new Performance(2_000_000)));

        Plan plan = plan(running());

        assertThat(plan.moves()).singleElement().satisfies(move -> {
            assertThat(nodesOf(move)).containsOnly("fast");
            assertThat(to(move).end()).isEqualTo(NOW + BACK + 1630);
        });
    }

    @Test
    void aGangStaysWhereTheOverheadCostsMoreThanItSaves() {
        nodes.add(node("cheap", 4, "b", 990_000));
        runner = runner().criterion(Criterion.COST).build();

        assertThat(plan(running()).moves()).isEmpty();
    }

    @Test
    void theGangIsAsFarAsItsSlowestMemberAndItsOverheadWasNoWork() {
        nodes.add(node("slow", 4, "a", 1_000_000, new Performance(500_000)));
        Node slow = nodes.getLast();
        Node big = nodes.getFirst();
        Running first =
                RunningGangs.of(runner, List.of(big, big, big, slow), NOW - DONE, NOW, new EvictionTiming(STOP, BACK));
        Running second = Usual.running(
                runner,
                new GangProgress(first.progress().window(), first.progress().tariff(), NOW - DONE, DONE, 250),
                first.room(),
                first.timing(),
                List.of());

        assertThat(plan(first, large(600, 0)).moves().getFirst().work()).isEqualTo(3600 - 200);
        assertThat(plan(second, large(600, 0)).moves().getFirst().work()).isEqualTo(3600 - 250);
    }

    @Test
    void noGangGoesToAndFro() {
        nodes.add(node("cheap", 4, "b", 500_000));
        rules = new MigrationPolicy(Reach.EXTERNAL, 1000, 0, 60);
        runner = gang("runner", 4, 1000, 36_000).criterion(Criterion.COST).build();
        Move move = plan(running()).moves().getFirst();

        for (long ran = 0; ran < 30_000; ran += 3000) {
            Running moved = moved(move, ran);
            Snapshot later = new Snapshot(
                            to(move).start() + ran, new Cluster(nodes, moved.room()), List.of(), List.of())
                    .withRunning(List.of(moved));

            assertThat(plan(base(), later).moves()).isEmpty();
        }
    }

    private Running moved(Move move, long ran) {
        long start = to(move).start();
        return RunningGangs.of(
                move.gang(),
                Collections.nCopies(4, nodes.getLast()),
                start,
                start + ran,
                new EvictionTiming(STOP, BACK));
    }
}
