package io.slotwise.lab.simulation.planned;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.simulation.disturbance.Disturbance.Removed;
import io.slotwise.lab.simulation.disturbance.Disturbance.Returned;
import io.slotwise.lab.workload.Job;
import io.slotwise.testing.OracleStarts;
import io.slotwise.testing.Recorded;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** The tree is science over a. A second of a processor costs a thousandth. */
class SimulatedBudgetsTest {
    private static final long DAY = Period.DAY_SECONDS;

    private static final RandomSource DRAWS =
            seed -> RandomGeneratorFactory.of("L64X128MixRandom").create(seed);

    @Test
    void aBudgetOfAQueueAboveHolds() {
        Recorded recorded = run(Map.of("science", "0.1/day"), job("1", 0, 100, 100), job("2", 0, 1, 1));

        assertThat(recorded.run("1").start()).isZero();
        assertThat(recorded.run("2").start()).isEqualTo(DAY);
    }

    @Test
    void anEarlyEndGivesTheRestOfItsMoneyBack() {
        Recorded recorded = run(Map.of("a", "0.1/day"), job("1", 0, 40, 100), job("2", 0, 60, 60));

        assertThat(recorded.run("1").end()).isEqualTo(40);
        assertThat(recorded.run("2").start()).isEqualTo(40);
    }

    @Test
    void anOverrunIsPaidByTheDaysOnWhichItRuns() {
        Recorded recorded = run(
                Map.of("a", "0.11/day"),
                job("1", DAY - 50, 110, 100),
                job("2", DAY + 100, 101, 101),
                job("3", DAY + 100, 100, 100));

        assertThat(recorded.run("2").start()).isEqualTo(2 * DAY);
        assertThat(recorded.run("3").start()).isEqualTo(DAY + 100);
    }

    @Test
    void aStoppedRunIsPaidAndTheRestWaitsForMoney() {
        Recorded recorded = run(
                Map.of("a", "0.1/day"), List.of(job("1", 0, 100, 100)), new Removed(50, "p0"), new Returned(60, "p0"));

        assertThat(recorded.interruptions()).hasSize(1);
        assertThat(recorded.run("1").start()).isEqualTo(DAY);
    }

    @Test
    void aPeriodBeyondTheHorizonIsReachedWithoutAnEvent() {
        Recorded recorded = run(Map.of("a", "0.1/month"), job("1", 0, 100, 100), job("2", 0, 100, 100));

        assertThat(recorded.run("2").start()).isEqualTo(31 * DAY);
    }

    @Test
    void aJobThatNoPeriodCanPayIsLeft() {
        Recorded recorded = run(Map.of("a", "0.1/month"), job("1", 0, 101, 101));

        assertThat(recorded.ending()).isEqualTo(new Simulation.Ending(true, 1, 0));
    }

    private static Job job(String id, long submit, long runtime, long estimate) {
        Job job = OracleStarts.job(id, submit, 1, runtime, estimate, "ann");
        return job.on(job.terms().in("a"));
    }

    private static Recorded run(Map<String, String> budgets, Job... jobs) {
        return run(budgets, List.of(jobs));
    }

    private static Recorded run(Map<String, String> budgets, List<Job> jobs, Disturbance... disturbances) {
        List<Queue> queues = List.of(new Queue("science", null), new Queue("a", "science"));
        Map<String, Allotment> allotments = new HashMap<>();
        budgets.forEach((queue, budget) -> allotments.put(queue, Allotment.parse(budget)));
        PlannedClusterRules rules = new PlannedClusterRules(Policy.EXACT, 10, 1, 10).in(queues, allotments);
        PlannedScheduler scheduler = new PlannedScheduler(
                new ProcessorNodes(3, 1, Money.parse("3.6"), 0).nodes(DRAWS.seeded(1)), rules, Workers.CALLER, DRAWS);
        return Recorded.of(jobs, scheduler, disturbances);
    }
}
