package io.slotwise.lab.simulation.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.metric.Distribution.BatchMeans;
import io.slotwise.lab.simulation.processors.Fcfs;
import io.slotwise.lab.simulation.processors.ProcessorMachine;
import io.slotwise.lab.workload.Job;
import io.slotwise.testing.OracleStarts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplicationMetricsTest {
    /** Four processors under FCFS. Job 2 waits for job 1, and job 3 waits behind job 2 although it would fit. */
    private static final List<Job> JOBS = List.of(
            OracleStarts.job("1", 0, 3, 100, 100, "ann"),
            OracleStarts.job("2", 10, 4, 20, 20, "bob"),
            OracleStarts.job("3", 20, 1, 5, 5, "ann")
                    .on(OracleStarts.job("3", 20, 1, 5, 5, "ann")
                            .terms()
                            .paying(new Budget(Money.parse("0.01"), null), Criterion.COST)));

    @Test
    void everyFigureOfASmallCaseIsTheOneWorkedOutByHand() {
        ReplicationOutcome outcome = outcome(JOBS);

        // Starts 0, 100, 120; ends 100, 120, 125.
        assertThat(outcome.jobs()).isEqualTo(new ReplicationOutcome.Jobs(0, 3, 0));
        assertThat(outcome.waited().sum()).isEqualTo(BigInteger.valueOf(90 + 100));
        assertThat(outcome.response().sum()).isEqualTo(BigInteger.valueOf(100 + 110 + 105));
        assertThat(outcome.slowdown().sum()).isEqualTo(BigInteger.valueOf(1_000_000 + 5_500_000 + 21_000_000));
        assertThat(outcome.boundedSlowdown().sum()).isEqualTo(BigInteger.valueOf(1_000_000 + 5_500_000 + 10_500_000));
        assertThat(outcome.makespan()).isEqualTo(125);
        assertThat(outcome.processorTime()).isEqualTo(300 + 80 + 5);
        assertThat(outcome.utilisation()).isEqualTo(385.0 / 500);
        // One processor is idle from 20 to 100 while job 3 waits, which needs one.
        assertThat(outcome.lossOfCapacity()).isEqualTo(80.0 / 500);
        assertThat(outcome.money().paid()).isEqualTo(new BigDecimal("0.385"));
        assertThat(outcome.money().budgetUse()).isEqualTo(0.5);
        assertThat(outcome.money().overBudget()).isZero();
        // Means by user: ann (1 + 10.5) / 2, bob 5.5.
        assertThat(outcome.fairness().users()).isEqualTo(2);
        assertThat(outcome.fairness().worst()).isEqualTo(5.75 / 5.5);
        assertThat(outcome.fairness().jain()).isCloseTo(11.25 * 11.25 / (2 * (5.75 * 5.75 + 5.5 * 5.5)), within(1e-12));
        assertThat(outcome.promises().made()).isZero();
        assertThat(outcome.utility()).isEqualTo(Spread.UNKNOWN);
    }

    @Test
    void percentilesPoolAllReplicationsAndTheConfidenceIsThatOfTheMeans() {
        ReplicationOutcome one = outcome(JOBS);
        ReplicationOutcome other = outcome(JOBS.subList(0, 1));

        PolicyMeasure wait = new Comparison.Result("fcfs", List.of(one, other))
                .figures().stream()
                        .filter(figure -> figure.metric().equals("wait"))
                        .findFirst()
                        .orElseThrow();

        double mean = 190 / 3.0;
        assertThat(wait.mean()).isCloseTo(mean / 2, within(1e-9));
        // Two means, m and 0: s = m / sqrt(2), half-width t(1 degree) x s / sqrt(2) = 12.7062 m / 2.
        assertThat(wait.halfWidth().orElseThrow()).isCloseTo(12.7062 * mean / 2, within(1e-3));
        assertThat(Objects.requireNonNull(wait.percentiles()))
                .isEqualTo(new PolicyMeasure.Percentiles(0, 100, 100, 100));
    }

    @Test
    void theConfidenceOfOneRunIsThatOfItsBatches() {
        BatchMeans batches = new BatchMeans();

        LongStream.range(0, 64).forEach(value -> batches.add(value % 4));

        // 16 batches of four: each has the mean 1.5.
        assertThat(batches.halfWidth().orElseThrow()).isZero();
    }

    @Test
    void fewValuesHaveNoConfidence() {
        BatchMeans batches = new BatchMeans();

        LongStream.range(0, 15).forEach(batches::add);

        assertThat(batches.halfWidth()).isEmpty();
    }

    @Test
    void countsTheValueOfDelaysForUsersWhoStateIt() {
        Job silent = OracleStarts.job("1", 0, 4, 10, 10, "u");
        Job waiting = OracleStarts.job("2", 0, 4, 20, 20, "u");
        Money hour = Money.parse("36");

        ReplicationOutcome none = outcome(List.of(silent, waiting));
        ReplicationOutcome valued =
                outcome(List.of(silent, waiting.on(waiting.terms().valuing(ValueOfTime.always(hour)))));

        assertThat(none.money().delay()).isNull();
        // 30 seconds at a hundredth each.
        assertThat(valued.money().delay()).isEqualByComparingTo("0.3");
        assertThat(valued.money().paid()).isEqualTo(none.money().paid());
    }

    @Test
    void satisfactionDividesTimeAndCostByTheirWeights() {
        Job job = OracleStarts.job("1", 0, 4, 10, 10, "u");
        Job waiting = OracleStarts.job("2", 0, 4, 20, 20, "u");
        List<Job> jobs = List.of(job, waiting);

        assertThat(outcome(jobs).satisfaction()).isEqualTo(Spread.UNKNOWN);
        // Responses 10 and 30, costs 0.04 and 0.08.
        assertThat(outcome(jobs, new CriterionWeights(0.5, 0.25, 0.25)).satisfaction())
                .isCloseTo(20 / 0.5 + 0.06 / 0.25, within(1e-9));
        assertThat(outcome(jobs, new CriterionWeights(1, 0, 0)).satisfaction()).isEqualTo(Spread.UNKNOWN);
    }

    @Test
    void aDeadlineIsMissedByALaterEndOnly() {
        Job first = OracleStarts.job("1", 0, 4, 10, 10, "u");
        Job second = OracleStarts.job("2", 0, 4, 20, 20, "u");

        assertThat(outcome(List.of(first, second)).deadlines()).isNull();
        assertThat(outcome(List.of(first, ending(second, 30))).deadlines())
                .isEqualTo(new ReplicationOutcome.Deadlines(1, 0));
        assertThat(outcome(List.of(ending(first, 10), ending(second, 29))).deadlines())
                .isEqualTo(new ReplicationOutcome.Deadlines(2, 1));
    }

    private static Job ending(Job job, long second) {
        return job.on(job.terms().endingBy(second));
    }

    private static ReplicationOutcome outcome(List<Job> jobs) {
        return outcome(jobs, null);
    }

    private static ReplicationOutcome outcome(List<Job> jobs, @Nullable CriterionWeights weights) {
        // 3.6 currency units an hour: a thousandth for each second.
        Scheduler scheduler = new Fcfs(new ProcessorMachine(4, StepFunction.constant(3_600_000)));
        ReplicationMetrics metrics =
                new ReplicationMetrics(scheduler::capacityOf, job -> job.terms().valueOfTime(), weights);
        Simulation.Ending ending = new Simulation(jobs.iterator(), List.of(), scheduler, metrics).run(() -> false);
        return metrics.outcome(0, 1, ending);
    }
}
