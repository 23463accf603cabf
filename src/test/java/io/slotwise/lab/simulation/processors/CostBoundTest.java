package io.slotwise.lab.simulation.processors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.workload.Job;
import io.slotwise.testing.OracleStarts;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class CostBoundTest {
    private static final int CASES = 400;

    @Test
    void noScheduleOfSmallClustersIsBelowTheBound() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        double bounds = 0;
        double leasts = 0;

        for (int i = 0; i < CASES; i++) {
            int processors = 1 + random.nextInt(3);
            List<StepFunction> prices = prices(random, processors);
            List<Job> jobs = jobs(random, processors);

            long bound =
                    CostBound.of(jobs, prices, job -> job.terms().valueOfTime()).microSecondsPerHour();
            long least = new Schedules(prices).least(jobs);

            assertThat(bound).as("case %d", i).isLessThanOrEqualTo(least);
            bounds += bound;
            leasts += least;
        }

        assertThat(bounds).isGreaterThan(0.7 * leasts);
    }

    @Test
    void theBoundOfASingleJobIsItsCost() {
        Job job = worth(OracleStarts.job("1", 5, 2, 10, 20, "u"), 3_000);
        List<StepFunction> prices =
                List.of(StepFunction.constant(400), StepFunction.constant(100), StepFunction.constant(200));

        Cost bound = CostBound.of(List.of(job), prices, own -> own.terms().valueOfTime());

        assertThat(bound).isEqualTo(new Cost(10 * (100 + 200) + 10 * 3_000));
    }

    @Test
    void theBoundWaitsForTheNightIfTheDelayIsWorthLess() {
        Job job = worth(OracleStarts.job("1", 0, 1, 100, 100, "u"), 10);
        StepFunction price = StepFunction.startingAt(1_000).then(500, 100).build();

        Cost bound =
                CostBound.of(List.of(job), List.of(price), own -> own.terms().valueOfTime());

        assertThat(bound).isEqualTo(new Cost(100 * 100 + 600 * 10));
    }

    @Test
    void aDeadlineBringsTheStartForward() {
        Job job = worth(OracleStarts.job("1", 0, 1, 100, 100, "u"), 10);
        Job hurried = job.on(job.terms().endingBy(550));
        StepFunction price = StepFunction.startingAt(1_000).then(500, 100).build();

        Cost bound = CostBound.of(
                List.of(hurried), List.of(price), own -> own.terms().valueOfTime());

        assertThat(bound).isEqualTo(new Cost(50 * 1_000 + 50 * 100 + 550 * 10));
    }

    @Test
    void theBoundOfWaitingJobsIsNearTheBestOrdersCost() {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            jobs.add(worth(OracleStarts.job("j" + i, 0, 4, 100, 100, "u"), 1_000L * (i + 1)));
        }
        List<StepFunction> prices = List.of(
                StepFunction.constant(10),
                StepFunction.constant(10),
                StepFunction.constant(20),
                StepFunction.constant(20));
        long best = 4 * 100 * 60;
        for (int i = 0; i < 4; i++) {
            best += 1_000L * (i + 1) * 100 * (4 - i);
        }

        Cost bound = CostBound.of(jobs, prices, own -> own.terms().valueOfTime());

        assertThat(bound.microSecondsPerHour()).isBetween((long) (0.9 * best), best);
    }

    @Test
    void aJobLargerThanTheMachineIsRefused() {
        List<Job> jobs = List.of(OracleStarts.job("1", 0, 2, 10, 10, "u"));

        assertThatThrownBy(() -> CostBound.of(jobs, List.of(StepFunction.constant(1)), _ -> ValueOfTime.NONE))
                .hasMessage("The job (1) needs 2 processors, and there are 1.");
    }

    private static Job worth(Job job, long micros) {
        return job.on(job.terms().valuing(ValueOfTime.always(new Money(micros))));
    }

    private static List<StepFunction> prices(RandomGenerator random, int processors) {
        List<StepFunction> prices = new ArrayList<>();
        boolean changing = random.nextBoolean();
        for (int i = 0; i < processors; i++) {
            long price = 1_000 * random.nextLong(1, 9);
            prices.add(changing ? StepFunction.startingAt(price).then(4, 1_000).build() : StepFunction.constant(price));
        }
        return prices;
    }

    private static List<Job> jobs(RandomGenerator random, int processors) {
        List<Job> jobs = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            long runtime = random.nextLong(1, 4);
            long submit = random.nextLong(0, 3);
            Job job = worth(
                    OracleStarts.job("j" + i, submit, 1 + random.nextInt(processors), runtime, runtime, "u"),
                    1_000 * random.nextLong(0, 6));
            jobs.add(random.nextInt(4) == 0 ? job.on(job.terms().endingBy(submit + runtime + 9)) : job);
        }
        return jobs;
    }

    /** All schedules of jobs whose ends are before a horizon that no job needs to pass. */
    private record Schedules(List<StepFunction> prices) {
        private static final int HORIZON = 16;

        long least(List<Job> jobs) {
            return place(jobs, 0, new boolean[prices.size()][HORIZON], 0, Long.MAX_VALUE);
        }

        private long place(List<Job> jobs, int at, boolean[][] taken, long cost, long best) {
            if (cost >= best || at == jobs.size()) {
                return Math.min(cost, best);
            }
            Job job = jobs.get(at);
            long least = best;
            for (long start = job.submit();
                    start + job.runtime() <= Math.min(HORIZON, job.terms().deadline());
                    start++) {
                long delay = job.terms().valueOfTime().delay(job.submit(), start + job.runtime());
                for (int set = 0; set < 1 << prices.size(); set++) {
                    if (Integer.bitCount(set) == job.size() && isFree(taken, set, start, job.runtime())) {
                        mark(taken, set, start, job.runtime(), true);
                        least = place(jobs, at + 1, taken, cost + delay + pays(set, start, job.runtime()), least);
                        mark(taken, set, start, job.runtime(), false);
                    }
                }
            }
            return least;
        }

        private long pays(int set, long start, long runtime) {
            long sum = 0;
            for (int i = 0; i < prices.size(); i++) {
                sum += (set >> i & 1) == 1 ? prices.get(i).sum(start, start + runtime) : 0;
            }
            return sum;
        }

        private boolean isFree(boolean[][] taken, int set, long start, long runtime) {
            for (int i = 0; i < prices.size(); i++) {
                for (long t = start; (set >> i & 1) == 1 && t < start + runtime; t++) {
                    if (taken[i][(int) t]) {
                        return false;
                    }
                }
            }
            return true;
        }

        private void mark(boolean[][] taken, int set, long start, long runtime, boolean as) {
            for (int i = 0; i < prices.size(); i++) {
                for (long t = start; (set >> i & 1) == 1 && t < start + runtime; t++) {
                    taken[i][(int) t] = as;
                }
            }
        }
    }
}
