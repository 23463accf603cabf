package io.slotwise.lab.simulation.planned;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver.Why;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.simulation.disturbance.Disturbance.Repriced;
import io.slotwise.lab.workload.Job;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.OracleStarts;
import io.slotwise.testing.Recorded;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The effect of priorities and moves on running gangs of a simulation. */
class StoppedGangsTest {
    /** An hour of a node costs 3.6, which is a thousandth a second, or 3,600,000 in units of Cost. */
    private static final long PRICE = 3_600_000;

    private static final long MIN_RUN = 30;
    private static final long OVERHEAD = 7;
    private static final int SEEDS = 40;
    private static final RandomSource DRAWS =
            seed -> RandomGeneratorFactory.of("L64X128MixRandom").create(seed);

    @Test
    void aHigherPriorityStopsAWholeGangThatPaysUntilThenAndRestarts() {
        List<Job> jobs = List.of(
                ranked(OracleStarts.job("low", 0, 2, 500, 500, "ann"), 0, false),
                ranked(OracleStarts.job("high", 100, 1, 50, 50, "bob"), 5, false));

        Recorded recorded = Recorded.of(jobs, scheduler(nodes(2), policy(Preempting.RUNNING, Reach.NONE)));

        // The gang starts at 0, is evicted at 100, gone at 135 and back at 145. The other gang needs its place until
        // 185.
        JobRun stopped = recorded.interruptions().getFirst();
        assertThat(recorded.reasons()).containsExactly(Why.DISPLACED);
        assertThat(stopped.end()).isEqualTo(100);
        assertThat(stopped.cost()).isEqualTo(new Cost(2 * 100 * PRICE));
        assertThat(stopped.loss()).isEqualTo(new JobRun.Loss(2 * 100, 2 * 100 * 1000, stopped.cost()));
        assertThat(recorded.run("high").start()).isEqualTo(135);
        assertThat(recorded.run("low").start()).isEqualTo(185);
        assertThat(recorded.run("low").seconds()).isEqualTo(500);
        assertThat(recorded.run("low").waited()).isEqualTo(185);
        assertThat(recorded.run("low").before()).isEqualTo(new JobRun.Before(0, stopped.cost()));
        assertThat(Objects.requireNonNull(recorded.run("low").deal()).broken()).containsExactly(Cause.DISPLACED);
    }

    @Test
    void aGangThatKeepsItsWorkPaysForItOnceAndForItsRestart() {
        List<Job> jobs = List.of(
                ranked(OracleStarts.job("low", 0, 2, 400, 500, "ann"), 0, true),
                ranked(OracleStarts.job("high", 100, 1, 50, 50, "bob"), 5, false));

        Recorded recorded = Recorded.of(jobs, scheduler(nodes(2), policy(Preempting.RUNNING, Reach.NONE)));

        JobRun stopped = recorded.interruptions().getFirst();
        JobRun last = recorded.run("low");
        assertThat(stopped.loss()).isEqualTo(JobRun.Loss.NOTHING);
        assertThat(last.seconds()).isEqualTo(300 + OVERHEAD);
        assertThat(last.loss().processorTime()).isEqualTo(2 * OVERHEAD);
        assertThat(last.loss().cost()).isEqualTo(new Cost(2 * OVERHEAD * PRICE));
        assertThat(last.before()).isEqualTo(new JobRun.Before(100, stopped.cost()));
        assertThat(last.runtime()).isEqualTo(400 + OVERHEAD);
    }

    @Test
    void noGangIsStoppedIfPrioritiesDisplaceNone() {
        List<Job> jobs = List.of(
                ranked(OracleStarts.job("low", 0, 2, 500, 500, "ann"), 0, true),
                ranked(OracleStarts.job("high", 100, 1, 50, 50, "bob"), 5, true));

        Recorded recorded = Recorded.of(jobs, scheduler(nodes(2), policy(Preempting.NONE, Reach.NONE)));

        assertThat(recorded.interruptions()).isEmpty();
        assertThat(recorded.run("high").start()).isEqualTo(500);
    }

    @Test
    void aGangThatHasNotRunLongEnoughIsStoppedOnceItHas() {
        List<Job> jobs = List.of(
                ranked(OracleStarts.job("low", 0, 1, 500, 500, "ann"), 0, false),
                ranked(OracleStarts.job("high", 10, 1, 50, 50, "bob"), 5, false));

        Recorded recorded = Recorded.of(jobs, scheduler(nodes(1), policy(Preempting.RUNNING, Reach.NONE)));

        assertThat(recorded.interruptions().getFirst().end()).isEqualTo(MIN_RUN);
    }

    @Test
    void aGangMovesToWhereItsRestCostsLessAsFarAsThePolicyLetsIt() {
        List<Node> nodes = List.of(node("a", "east", 2 * PRICE), node("b", "west", PRICE), node("c", "east", PRICE));
        Job job = ranked(OracleStarts.job("1", 0, 1, 3000, 3000, "ann"), 0, true);
        Job cheap = job.on(job.terms().paying(Budget.UNLIMITED, Criterion.COST));
        // c is expensive when the gang starts, so it takes b. Then b becomes expensive and a cheap, later c the
        // cheapest.
        Disturbance[] prices = {
            new Repriced(500, "b", new Money(20 * PRICE)), new Repriced(500, "c", new Money(PRICE / 2)),
        };

        Recorded none = Recorded.of(List.of(cheap), scheduler(nodes, policy(Preempting.NONE, Reach.NONE)), prices);
        Recorded local = Recorded.of(List.of(cheap), scheduler(nodes, policy(Preempting.NONE, Reach.LOCAL)), prices);
        Recorded external =
                Recorded.of(List.of(cheap), scheduler(nodes, policy(Preempting.NONE, Reach.EXTERNAL)), prices);

        assertThat(none.interruptions()).isEmpty();
        assertThat(local.interruptions()).isEmpty();
        assertThat(external.reasons()).containsExactly(Why.MOVED);
        JobRun moved = external.interruptions().getFirst();
        assertThat(moved.end()).isEqualTo(500);
        assertThat(moved.cost()).isEqualTo(new Cost(500 * PRICE));
        assertThat(external.run("1").cost()).isEqualTo(new Cost((2500 + OVERHEAD) * PRICE / 2));
    }

    @Test
    void aGangThatIsMovedStaysInItsDomainsUntilItStartsAgainUnderLocalMigration() {
        List<Node> nodes =
                List.of(node("a", "east", PRICE), node("b", "east", 2 * PRICE), node("c", "west", 3 * PRICE));
        Job job = ranked(OracleStarts.job("1", 0, 1, 3000, 3000, "ann"), 0, true);
        Job cheap = job.on(job.terms().paying(Budget.UNLIMITED, Criterion.COST));
        Disturbance[] prices = {
            new Repriced(500, "b", new Money(PRICE / 2)), new Repriced(510, "c", new Money(PRICE / 100)),
        };

        Recorded recorded = Recorded.of(List.of(cheap), scheduler(nodes, policy(Preempting.NONE, Reach.LOCAL)), prices);

        assertThat(recorded.run("1").cost()).isEqualTo(new Cost((2500 + OVERHEAD) * PRICE / 2));
    }

    @Test
    void moneyWorkAndRoomAddUpForAllStops() {
        Map<Why, Integer> stops = new TreeMap<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            for (Preempting preempting : Preempting.values()) {
                for (Reach reach : Reach.values()) {
                    List<Job> jobs = jobs(seed, 30);

                    Recorded recorded = Recorded.of(jobs, scheduler(nodes(5), policy(preempting, reach)));

                    assertThat(recorded.ending()).isEqualTo(new Simulation.Ending(true, 0, 0));
                    assertThat(recorded.mostTaken()).isLessThanOrEqualTo(5000);
                    jobs.forEach(job -> addsUp(job, recorded));
                    assertThat(reasonsOf(preempting, reach)).containsAll(recorded.reasons());
                    recorded.reasons().forEach(why -> stops.merge(why, 1, Integer::sum));
                }
            }
        }
        assertThat(stops.get(Why.DISPLACED)).isGreaterThan(100);
        assertThat(stops.get(Why.MOVED)).isGreaterThan(20);
    }

    /** Compares a job's runs with a computation by hand: nodes are alike, and a second of a node costs a thousandth. */
    private static void addsUp(Job job, Recorded recorded) {
        List<JobRun> stopped = recorded.interruptions().stream()
                .filter(run -> run.job().id().equals(job.id()))
                .toList();
        JobRun last = recorded.run(job.id());
        List<JobRun> runs = Stream.concat(stopped.stream(), Stream.of(last)).toList();
        for (JobRun run : runs) {
            assertThat(run.capacity()).isEqualTo(1000L * job.size());
            assertThat(run.processorTime()).isEqualTo(run.seconds() * job.size());
            assertThat(run.work()).isEqualTo(1000 * run.processorTime());
            assertThat(run.cost()).isEqualTo(new Cost(run.processorTime() * PRICE));
            assertThat(run.loss().cost()).isEqualTo(new Cost(run.loss().processorTime() * PRICE));
            assertThat(run.loss().work()).isEqualTo(1000 * run.loss().processorTime());
        }
        // Work is done once, regardless of the number of stops.
        assertThat(runs.stream()
                        .mapToLong(run -> run.processorTime() - run.loss().processorTime())
                        .sum())
                .isEqualTo(job.runtime() * job.size());
        assertThat(last.before().paidCost())
                .isEqualTo(stopped.stream().map(JobRun::cost).reduce(Cost.ZERO, Cost::plus));
        for (int i = 0; i < stopped.size(); i++) {
            JobRun run = stopped.get(i);
            assertThat(run.seconds()).isGreaterThanOrEqualTo(MIN_RUN);
            assertThat(runs.get(i + 1).start()).isGreaterThanOrEqualTo(run.end() + 45);
            long hour = run.end() - MigrationPolicy.HOUR;
            assertThat(stopped.stream().filter(other -> other.end() > hour && other.end() <= run.end()))
                    .hasSizeLessThanOrEqualTo(2);
            if (!job.terms().migratable()) {
                assertThat(run.loss().cost()).isEqualTo(run.cost());
            }
        }
    }

    private static Set<Why> reasonsOf(Preempting preempting, Reach reach) {
        Set<Why> reasons = EnumSet.noneOf(Why.class);
        if (preempting == Preempting.RUNNING) {
            reasons.add(Why.DISPLACED);
        }
        if (reach != Reach.NONE) {
            reasons.add(Why.MOVED);
        }
        return reasons;
    }

    @Test
    void noGangExceedsItsBudgetInAllItsRuns() {
        int stopped = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            List<Job> jobs = jobs(seed, 30).stream()
                    .map(job -> job.on(job.terms()
                            .paying(
                                    new Budget(new Cost(job.size() * job.estimate() * 2 * PRICE).roundedDown(), null),
                                    Criterion.START)))
                    .toList();

            Recorded recorded = Recorded.of(jobs, scheduler(nodes(5), policy(Preempting.RUNNING, Reach.EXTERNAL)));

            for (Job job : jobs) {
                Cost paid = Stream.concat(recorded.runs().stream(), recorded.interruptions().stream())
                        .filter(run -> run.job().id().equals(job.id()))
                        .map(JobRun::cost)
                        .reduce(Cost.ZERO, Cost::plus);
                assertThat(paid).isLessThanOrEqualTo(job.terms().budget().limit());
            }
            assertThat(recorded.ending().complete()).isTrue();
            stopped += recorded.interruptions().size();
        }
        assertThat(stopped).isGreaterThan(100);
    }

    @Test
    void theSameInputGivesTheSameRunsWithAndWithoutMoreWorkers() {
        List<JobRun> all = new ArrayList<>();
        for (long seed = 0; seed < 5; seed++) {
            List<Job> jobs = jobs(seed, 30);
            PlannedClusterRules rules = rules(policy(Preempting.RUNNING, Reach.EXTERNAL));

            Recorded one = Recorded.of(jobs, new PlannedScheduler(nodes(5), rules, Workers.CALLER, DRAWS));
            Recorded other = Recorded.of(jobs, new PlannedScheduler(nodes(5), rules, CommonPoolWorkers.ALL, DRAWS));

            assertThat(other.runs()).isEqualTo(one.runs());
            assertThat(other.interruptions()).isEqualTo(one.interruptions());
            all.addAll(one.interruptions());
        }
        assertThat(all).isNotEmpty();
    }

    @Test
    void podsOfDifferentSpeedsAreAsFarAsTheSlowestOne() {
        Collection<Node> nodes =
                List.of(node("fast", "east", PRICE, 2_000_000), node("slow", "east", PRICE, 1_000_000));
        List<Job> jobs = List.of(
                ranked(OracleStarts.job("low", 0, 2, 1000, 1000, "ann"), 0, true),
                ranked(OracleStarts.job("high", 100, 2, 50, 50, "bob"), 5, false));

        Recorded recorded = Recorded.of(jobs, scheduler(nodes, policy(Preempting.RUNNING, Reach.NONE)));

        // At 101 the slow pod has done 100 s of the work and the fast one 200 s, of which 50 s of its time count.
        JobRun stopped = recorded.interruptions().getFirst();
        assertThat(stopped.loss().processorTime()).isEqualTo(50);
        assertThat(recorded.run("low").before().seconds()).isEqualTo(100);
        assertThat(recorded.run("low").seconds()).isEqualTo(900 + OVERHEAD);
    }

    private static Policy policy(Preempting preempting, Reach reach) {
        return Policy.EXACT.withPreemption(preempting).withMigration(new MigrationPolicy(reach, 2, MIN_RUN, OVERHEAD));
    }

    private static PlannedClusterRules rules(Policy policy) {
        return new PlannedClusterRules(policy, 10, 1, 10);
    }

    private static PlannedScheduler scheduler(Collection<Node> nodes, Policy policy) {
        return new PlannedScheduler(nodes, rules(policy), Workers.CALLER, DRAWS);
    }

    private static List<Node> nodes(int processors) {
        return new ProcessorNodes(processors, 1, new Money(PRICE), 0).nodes(DRAWS.seeded(1));
    }

    private static Node node(String name, String zone, long price) {
        return node(name, zone, price, 1_000_000);
    }

    private static Node node(String name, String zone, long price, long performance) {
        return new Node(
                name,
                Map.of("topology.kubernetes.io/zone", zone),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L)),
                new Performance(performance),
                "owner",
                StepFunction.constant(price),
                List.of());
    }

    private static Job ranked(Job job, int priority, boolean migratable) {
        return job.on(job.terms().ranking(priority, migratable));
    }

    /** Jobs that never run longer than their estimate. */
    private static List<Job> jobs(long seed, int count) {
        RandomGenerator random = DRAWS.seeded(seed);
        List<Job> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 1; i <= count; i++) {
            submit += random.nextInt(120);
            long estimate = 20L + random.nextInt(600);
            Job job = OracleStarts.job(
                    String.valueOf(i),
                    submit,
                    1 + random.nextInt(3),
                    1 + random.nextLong(estimate),
                    estimate,
                    "u" + random.nextInt(5));
            jobs.add(ranked(job, 10 * random.nextInt(3), random.nextBoolean()));
        }
        return jobs;
    }
}
