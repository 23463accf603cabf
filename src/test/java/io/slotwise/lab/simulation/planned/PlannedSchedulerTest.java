package io.slotwise.lab.simulation.planned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.JobRun.Deal;
import io.slotwise.lab.simulation.PricedUsers;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.ValuedUsers;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.simulation.disturbance.Disturbance.OwnerJob;
import io.slotwise.lab.simulation.disturbance.Disturbance.Removed;
import io.slotwise.lab.simulation.disturbance.Disturbance.Repriced;
import io.slotwise.lab.simulation.disturbance.Disturbance.Returned;
import io.slotwise.lab.simulation.processors.Conservative;
import io.slotwise.lab.simulation.processors.ProcessorMachine;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.Workload;
import io.slotwise.testing.Jobs;
import io.slotwise.testing.OracleStarts;
import io.slotwise.testing.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlannedSchedulerTest {
    /** An hour of a node costs 3.6, which is a thousandth a second, or 3,600,000 in units of Cost. */
    private static final long PRICE = 3_600_000;

    private static final RandomSource DRAWS =
            seed -> RandomGeneratorFactory.of("L64X128MixRandom").create(seed);

    @ParameterizedTest
    @EnumSource(PolicyPreset.class)
    void everyPromiseIsKeptWhereNothingEndsLateAndNoNodeFails(PolicyPreset preset) {
        Policy calm = preset.policy().withReplan(Policy.Replan.IMPROVE);
        List<Job> jobs = jobs(7, 60).stream().map(preset::asks).toList();

        Recorded recorded = Recorded.of(jobs, scheduler(4, new PlannedClusterRules(calm, 10, 1, 60)));

        assertThat(recorded.ending()).isEqualTo(new Simulation.Ending(true, 0, 0));
        assertThat(recorded.runs())
                .hasSize(60)
                .allSatisfy(run -> assertThat(deal(run).first().isKept(run.start()))
                        .as("job %s", run.job().id())
                        .isTrue());
        assertThat(recorded.mostTaken()).isLessThanOrEqualTo(4000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void budgetsHoldAndEveryGangRunsWholeOnFreeCapacity(long seed) {
        Workload priced = new PricedUsers(OracleStarts.workload(jobs(seed, 50)), PRICE, seed, DRAWS);
        List<Node> nodes = new ProcessorNodes(6, 1, new Money(PRICE), 40).nodes(DRAWS.seeded(seed));
        PlannedScheduler scheduler = new PlannedScheduler(nodes, rules(), Workers.CALLER, DRAWS);

        Recorded recorded = Recorded.of(priced.jobs().toList(), scheduler);

        assertThat(recorded.runs()).hasSizeGreaterThan(25).allSatisfy(run -> {
            assertThat(run.cost())
                    .isLessThanOrEqualTo(run.job().terms().budget().limit());
            assertThat(run.capacity()).isEqualTo(1000L * run.job().size());
            assertThat(run.processorTime()).isEqualTo(run.seconds() * run.job().size());
        });
        assertThat(recorded.mostTaken()).isLessThanOrEqualTo(6000);
        assertThat(recorded.runs().size() + recorded.ending().waiting()).isEqualTo(50);
    }

    /**
     * The planner's nodes have names, the counted processors have none. Both promise each job the earliest start after
     * the jobs before.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void jobsWaitNoLongerThanUnderConservativeBackfilling(long seed) {
        List<Job> jobs = crowded(seed, 200);

        Recorded planned = Recorded.of(jobs, scheduler(16, new PlannedClusterRules(Policy.EXACT, 1, 0, 60)));
        Recorded counted = Recorded.of(jobs, new Conservative(new ProcessorMachine(16, StepFunction.constant(PRICE))));

        assertThat(planned.runs())
                .hasSize(200)
                .allSatisfy(
                        run -> assertThat(deal(run).first().isKept(run.start())).isTrue());
        assertThat(waits(counted)).isPositive();
        assertThat(waits(planned)).isLessThanOrEqualTo(waits(counted) * 51 / 50);
    }

    /** Gangs pass others with a promised start, and wait for cheap nodes. Every start is as promised. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void promisesAreKeptWhereGangsStartInTheOrderOfValue(long seed) {
        Policy usual = Policy.EXACT.withQueue(Policy.EXACT.queue().by(Order.VALUE));
        Policy policy = usual.withBatch(usual.batch().serving(Objective.MAX_VALUE, Limit.NONE))
                .withSlack(new PromiseSlack(1_000_000, 1_000_000, 60, 0, 1_000_000))
                .withExpectedUse(500_000)
                .withLeastSaving(4_000_000);
        List<Job> jobs = new ValuedUsers(OracleStarts.workload(crowded(seed, 200)), PRICE, 0, seed, DRAWS)
                .jobs()
                .toList();
        List<Node> nodes = new ProcessorNodes(16, 1, new Money(PRICE), 40).nodes(DRAWS.seeded(seed));

        Recorded recorded = Recorded.of(
                jobs, new PlannedScheduler(nodes, new PlannedClusterRules(policy, 1, 0, 60), Workers.CALLER, DRAWS));

        assertThat(recorded.runs())
                .hasSize(200)
                .allSatisfy(
                        run -> assertThat(deal(run).first().isKept(run.start())).isTrue());
        assertThat(recorded.runs())
                .anyMatch(run -> run.start() > deal(run).first().start());
    }

    private static long waits(Recorded recorded) {
        return recorded.runs().stream()
                .mapToLong(run -> run.start() - run.job().submit())
                .sum();
    }

    /** More work than the machine can do at once, with estimates that are mostly far too long. */
    private static List<Job> crowded(long seed, int count) {
        RandomGenerator random = DRAWS.seeded(seed);
        List<Job> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 1; i <= count; i++) {
            submit += 1 + random.nextInt(60);
            long estimate = 20L + random.nextInt(400);
            long runtime = 1 + random.nextLong(random.nextInt(4) == 0 ? estimate : 1 + estimate / 3);
            int size = 1 + random.nextInt(1 << random.nextInt(5));
            jobs.add(OracleStarts.job("j%03d".formatted(i), submit, size, runtime, estimate, "u"));
        }
        return jobs;
    }

    @Test
    void anEarlyEndPullsOthersForwardAndIsPaidByItsSeconds() {
        List<Job> jobs =
                List.of(OracleStarts.job("1", 0, 2, 30, 100, "ann"), OracleStarts.job("2", 0, 2, 50, 50, "ann"));

        Recorded recorded = Recorded.of(jobs, scheduler(2, rules()));

        assertThat(recorded.run("1").start()).isZero();
        assertThat(recorded.run("1").cost()).isEqualTo(new Cost(2 * 30 * PRICE));
        assertThat(deal(recorded.run("2")).told()).isZero();
        assertThat(deal(recorded.run("2")).first().start()).isEqualTo(100);
        assertThat(recorded.run("2").start()).isEqualTo(30);
        assertThat(deal(recorded.run("2")).first().isKept(30)).isTrue();
    }

    @Test
    void aBurstIsPlannedTogetherAndASingleJobAtOnce() {
        List<Job> jobs = List.of(
                OracleStarts.job("1", 100, 1, 10, 10, "ann"),
                OracleStarts.job("2", 101, 1, 10, 10, "ann"),
                OracleStarts.job("3", 130, 1, 10, 10, "ann"));

        Recorded recorded = Recorded.of(jobs, scheduler(3, new PlannedClusterRules(Policy.EXACT, 10, 5, 10)));

        assertThat(recorded.run("1").start()).isEqualTo(100);
        assertThat(recorded.run("2").start()).isEqualTo(105);
        assertThat(recorded.run("3").start()).isEqualTo(130);
    }

    @Test
    void anOverrunningJobHoldsItsRoomAndBreaksTheNextPromise() {
        List<Job> jobs =
                List.of(OracleStarts.job("1", 0, 2, 130, 100, "ann"), OracleStarts.job("2", 0, 2, 50, 50, "ann"));

        Recorded recorded = Recorded.of(jobs, scheduler(2, rules()));

        assertThat(recorded.run("1").end()).isEqualTo(130);
        assertThat(recorded.run("1").cost()).isEqualTo(new Cost(2 * 130 * PRICE));
        assertThat(deal(recorded.run("2")).first().start()).isEqualTo(100);
        assertThat(deal(recorded.run("2")).broken()).containsOnly(Cause.OVERRUN);
        assertThat(recorded.run("2").start()).isEqualTo(130);
    }

    @Test
    void aGangThatLosesAPodWithItsNodeStopsWholePaysUntilThenAndRunsAgain() {
        List<Job> jobs = List.of(OracleStarts.job("1", 0, 2, 100, 100, "ann"));

        Recorded recorded = Recorded.of(jobs, scheduler(2, rules()), new Removed(41, "p1"), new Returned(500, "p1"));

        JobRun stopped = recorded.interruptions().getFirst();
        assertThat(stopped.end()).isEqualTo(41);
        assertThat(stopped.cost()).isEqualTo(new Cost(2 * 41 * PRICE));
        assertThat(recorded.run("1").start()).isEqualTo(500);
        assertThat(recorded.run("1").end()).isEqualTo(600);
    }

    @Test
    void aNodeThatGoesBreaksThePromisesOnIt() {
        List<Job> jobs = List.of(
                OracleStarts.job("1", 0, 1, 100, 100, "ann"),
                OracleStarts.job("2", 0, 1, 100, 100, "ann"),
                OracleStarts.job("3", 0, 1, 100, 100, "ann"));

        Recorded recorded = Recorded.of(jobs, scheduler(2, rules()), new Removed(50, "p0"));

        assertThat(recorded.interruptions()).hasSize(1);
        assertThat(recorded.runs()).hasSize(3);
        assertThat(recorded.mostTaken()).isEqualTo(2000);
        assertThat(recorded.byStart().getLast().start()).isEqualTo(200);
    }

    @Test
    void aPriceStepTouchesNewPromisesAlone() {
        List<Job> jobs = List.of(
                OracleStarts.job("1", 0, 1, 100, 100, "ann"),
                OracleStarts.job("2", 0, 1, 100, 100, "ann"),
                OracleStarts.job("3", 60, 1, 100, 100, "ann"));

        Recorded recorded = Recorded.of(jobs, scheduler(1, rules()), new Repriced(50, "p0", new Money(2 * PRICE)));

        assertThat(recorded.run("1").cost()).isEqualTo(new Cost(100 * PRICE));
        assertThat(recorded.run("2").cost()).isEqualTo(new Cost(100 * PRICE));
        assertThat(recorded.run("3").cost()).isEqualTo(new Cost(200 * PRICE));
    }

    @Test
    void anOwnersJobWaitsForWhatRunsAndGoesBeforeEveryPromise() {
        List<Job> jobs =
                List.of(OracleStarts.job("1", 0, 1, 100, 100, "ann"), OracleStarts.job("2", 0, 1, 50, 50, "ann"));

        Recorded recorded = Recorded.of(jobs, scheduler(1, rules()), new OwnerJob(20, "p0", one(), 300));

        assertThat(recorded.run("1").end()).isEqualTo(100);
        assertThat(deal(recorded.run("2")).first().start()).isEqualTo(100);
        assertThat(deal(recorded.run("2")).broken()).isEqualTo(List.of(Cause.ROOM_TAKEN));
        assertThat(recorded.run("2").start()).isEqualTo(400);
    }

    @Test
    void anOwnersJobThatIsLargerThanItsNodeIsRefused() {
        Disturbance tooLarge = new OwnerJob(1, "p0", one().with(Resources.CPU, 2000), 10);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Recorded.of(
                        List.of(OracleStarts.job("1", 0, 1, 100, 100, "ann")), scheduler(1, rules()), tooLarge))
                .withMessageContaining("must fit on the idle node");
    }

    @Test
    void podsShareANodeAndEndByItsSpeedAndEveryOwnerEarnsItsOwn() {
        List<Node> nodes = List.of(node("fast", 2_000_000, "bob", 2 * PRICE), node("slow", 1_000_000, "eve", PRICE));
        Job job = OracleStarts.job("1", 0, 4, 100, 100, "ann");

        Recorded recorded =
                Recorded.of(List.of(job), new PlannedScheduler(nodes, rules(), Workers.CALLER, RandomSource.NONE));

        JobRun run = recorded.run("1");
        assertThat(run.end()).isEqualTo(100);
        assertThat(run.processorTime()).isEqualTo(2 * 50 + 2 * 100);
        // Two pods have half a node each: 2 x 50 s at 2 x PRICE / 2, and 2 x 100 s at PRICE / 2.
        assertThat(run.income())
                .isEqualTo(Map.of("bob", new Cost(2 * 50 * PRICE), "eve", new Cost(2 * 100 * PRICE / 2)));
    }

    @Test
    void aJobThatCannotPayWaitsForeverAndTheSimulationEnds() {
        Job poor = OracleStarts.job("1", 0, 1, 100, 100, "ann");
        Job job = poor.on(poor.terms().paying(new Budget(Money.parse("0.01"), null), Criterion.START));

        Recorded recorded = Recorded.of(List.of(job), scheduler(2, rules()));

        assertThat(recorded.ending()).isEqualTo(new Simulation.Ending(true, 1, 0));
    }

    @Test
    void aGangLargerThanTheClusterIsRefused() {
        Recorded recorded = Recorded.of(List.of(OracleStarts.job("1", 0, 3, 10, 10, "ann")), scheduler(2, rules()));

        assertThat(recorded.refusals()).hasSize(1);
    }

    @Test
    void aGangLongerThanTheHorizonIsRefused() {
        PlannedClusterRules short90 = new PlannedClusterRules(Policy.EXACT.withHorizon(90), 10, 1, 10);
        Job fits = OracleStarts.job("1", 0, 1, 89, 89, "ann");
        Job longer = OracleStarts.job("2", 0, 1, 91, 91, "ann");

        Recorded recorded = Recorded.of(List.of(fits, longer), scheduler(2, short90));

        assertThat(recorded.refusals()).containsExactly(longer);
        assertThat(recorded.runs()).extracting(run -> run.job().id()).containsExactly("1");
    }

    @Test
    void theSameInputGivesTheSameRunsWithAndWithoutMoreWorkers() {
        List<Job> jobs = jobs(11, 60);
        List<Node> nodes = new ProcessorNodes(5, 2, new Money(PRICE), 20).nodes(DRAWS.seeded(3));

        List<JobRun> one = Recorded.of(jobs, new PlannedScheduler(nodes, rules(), Workers.CALLER, DRAWS))
                .runs();
        List<JobRun> other = Recorded.of(
                        jobs, new PlannedScheduler(nodes, rules(), io.slotwise.live.cycle.CommonPoolWorkers.ALL, DRAWS))
                .runs();

        assertThat(other).isEqualTo(one);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void noMoreJobsThanThePolicySaysPassOneInAnyOrder(Order order) {
        int most = 0;
        for (long seed = 1; seed <= 5; seed++) {
            List<Job> jobs = jobs(seed, 60);
            List<JobRun> bounded = runs(jobs, order, 3);
            List<JobRun> unbounded = runs(jobs, order, 0);

            assertThat(bounded)
                    .hasSize(60)
                    .allSatisfy(run -> assertThat(deal(run).passed()).isLessThanOrEqualTo(3));
            most = Math.max(
                    most,
                    unbounded.stream().mapToInt(run -> deal(run).passed()).max().orElse(0));
        }
        assertThat(most).isGreaterThan(3);
    }

    private static List<JobRun> runs(List<Job> jobs, Order order, int limit) {
        Policy policy = Policy.EXACT
                .withBackfill(Policy.Backfill.EASY)
                .withBatch(Policy.EXACT.batch().withSplit(new Policy.Split(1, 0, Policy.Split.Choice.ORDER)))
                .withQueue(Policy.EXACT.queue().by(order).passedBy(limit));
        return Recorded.of(jobs, scheduler(3, new PlannedClusterRules(policy, 10, 1, 10)))
                .runs();
    }

    @Test
    void aJobStartsOnceTheOneThatPrecedesItHasEndedHoweverLateThatIs() {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            PodRequest request = new PodRequest(one(), NodeConstraint.NONE, 20 + i % 7, false);
            Job job = Jobs.of("j" + i, i, 1, request, 15 + (i * 5) % 6, "u" + i % 2);
            jobs.add(
                    i < 2
                            ? job
                            : job.on(JobTerms.NONE.after(new Predecessors(
                                    List.of(new GangId("u" + (i - 2) % 2, "j" + (i - 2))), 0, Map.of()))));
        }

        Recorded recorded = Recorded.of(jobs, scheduler(3, rules()));

        assertThat(recorded.ending()).isEqualTo(new Simulation.Ending(true, 0, 0));
        for (int i = 2; i < 30; i++) {
            assertThat(recorded.run("j" + i).start())
                    .isGreaterThanOrEqualTo(recorded.run("j" + (i - 2)).end());
        }
    }

    private static Deal deal(JobRun run) {
        return Objects.requireNonNull(run.deal());
    }

    private static PlannedClusterRules rules() {
        return new PlannedClusterRules(Policy.EXACT, 10, 1, 10);
    }

    private static PlannedScheduler scheduler(int processors, PlannedClusterRules rules) {
        List<Node> nodes = new ProcessorNodes(processors, 1, new Money(PRICE), 0).nodes(DRAWS.seeded(1));
        return new PlannedScheduler(nodes, rules, Workers.CALLER, DRAWS);
    }

    private static Resources one() {
        return Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L));
    }

    private static Node node(String name, long performance, String owner, long price) {
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 2000L, Resources.PODS, 10L)),
                new Performance(performance),
                owner,
                StepFunction.constant(price),
                List.of());
    }

    /** Jobs that never run longer than their estimate. */
    private static List<Job> jobs(long seed, int count) {
        RandomGenerator random = DRAWS.seeded(seed);
        List<Job> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 1; i <= count; i++) {
            submit += random.nextInt(40);
            long estimate = 20L + random.nextInt(100);
            jobs.add(OracleStarts.job(
                    String.valueOf(i),
                    submit,
                    1 + random.nextInt(3),
                    1 + random.nextLong(estimate),
                    estimate,
                    "u" + random.nextInt(5)));
        }
        return jobs;
    }
}
