package io.slotwise.lab.simulation.processors;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.processors.Easy.Scan;
import io.slotwise.lab.workload.Job;
import io.slotwise.testing.OracleStarts;
import io.slotwise.testing.Recorded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DisciplinesTest {
    private static final int PROCESSORS = 16;
    private static final long PRICE = 2_000_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void noSecondHasMoreProcessorsThanThereAreAndEveryJobEnds(long seed) {
        List<Job> jobs = jobs(seed, 200);

        for (Supplier<Scheduler> discipline : disciplines()) {
            Recorded recorded = Recorded.of(jobs, discipline.get());

            assertThat(recorded.ending()).isEqualTo(new Simulation.Ending(true, 0, 0));
            assertThat(recorded.runs()).hasSize(jobs.size());
            assertThat(recorded.mostTaken()).isBetween(1L, (long) PROCESSORS);
            assertThat(recorded.runs()).allSatisfy(run -> {
                assertThat(run.start()).isGreaterThanOrEqualTo(run.job().submit());
                assertThat(run.seconds())
                        .isEqualTo(Math.min(run.job().runtime(), run.job().estimate()));
                assertThat(run.cost().microSecondsPerHour())
                        .isEqualTo(PRICE * run.seconds() * run.job().size());
            });
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void firstComeIsFirstServedAndWaitsForItsProcessorsAlone(long seed) {
        List<Job> jobs = jobs(seed, 150);

        Recorded recorded = Recorded.of(jobs, new Fcfs(new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE))));

        long before = Long.MIN_VALUE;
        for (Job job : jobs) {
            JobRun run = recorded.run(job.id());
            assertThat(run.start()).isGreaterThanOrEqualTo(before);
            long could = Math.max(before, job.submit());
            if (run.start() > could) {
                long taken = recorded.runs().stream()
                        .filter(other -> Long.parseLong(other.job().id()) < Long.parseLong(job.id()))
                        .filter(other -> other.start() < run.start() && other.end() >= run.start())
                        .mapToLong(JobRun::capacity)
                        .sum();
                assertThat(taken + job.size())
                        .as("job %s could have started before", job.id())
                        .isGreaterThan(PROCESSORS);
            }
            before = run.start();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void theHeadOfTheQueueStartsNoLaterThanAnyOfItsShadowTimes(long seed) {
        for (Scan scan : Scan.values()) {
            Shadows shadows = new Shadows();
            new Simulation(
                            jobs(seed, 200).iterator(),
                            List.of(),
                            new Easy(new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE)), scan),
                            shadows)
                    .run(() -> false);

            assertThat(shadows.promises).isGreaterThan(20);
            assertThat(shadows.late).isEmpty();
        }
    }

    /** Computes the head's shadow time after every pass, from the observed events alone. */
    private static final class Shadows implements SimulationObserver {
        private final List<Job> waiting = new ArrayList<>();
        private final List<JobRun> running = new ArrayList<>();
        private final Map<String, Long> earliest = new HashMap<>();
        private final List<String> late = new ArrayList<>();
        private int promises;

        @Override
        public void submitted(Job job) {
            waiting.add(job);
        }

        @Override
        public void ended(JobRun run) {
            running.removeIf(other -> other.job().equals(run.job()));
        }

        @Override
        public void started(JobRun run) {
            waiting.remove(run.job());
            running.add(run);
            Long promised = earliest.get(run.job().id());
            if (promised != null && run.start() > promised) {
                late.add(run.job().id());
            }
        }

        @Override
        public void passed(long now, MachineLoad load) {
            if (waiting.isEmpty()) {
                return;
            }
            Job head = waiting.getFirst();
            long free =
                    PROCESSORS - running.stream().mapToLong(JobRun::capacity).sum();
            for (JobRun run : running.stream()
                    .sorted(Comparator.comparingLong(
                            run -> run.start() + run.job().estimate()))
                    .toList()) {
                free += run.capacity();
                if (free >= head.size()) {
                    earliest.merge(head.id(), run.start() + run.job().estimate(), Math::min);
                    promises++;
                    return;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void conservativeMatchesItsDefinitionAndStartsNoLaterThanFirstReserved(long seed) {
        List<Job> jobs = jobs(seed, 120);

        Recorded recorded =
                Recorded.of(jobs, new Conservative(new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE))));

        SecondBySecond reference = new SecondBySecond(jobs);
        for (Job job : jobs) {
            long start = recorded.run(job.id()).start();
            assertThat(start).as("job %s", job.id()).isEqualTo(reference.start(job));
            assertThat(start).isLessThanOrEqualTo(reference.reservedFirst(job));
        }
    }

    /** Conservative backfilling on an array of seconds. */
    private static final class SecondBySecond {
        private static final int SECONDS = 200_000;
        private final int[] free = new int[SECONDS];
        private final Map<String, Integer> starts = new HashMap<>();
        private final Map<String, Integer> first = new HashMap<>();

        SecondBySecond(List<Job> jobs) {
            java.util.Arrays.fill(free, PROCESSORS);
            List<Job> waiting = new ArrayList<>();
            List<Job> running = new ArrayList<>();
            int arrived = 0;
            for (int now = 0; arrived < jobs.size() || !waiting.isEmpty() || !running.isEmpty(); now++) {
                int second = now;
                List<Job> ended = running.stream()
                        .filter(job -> start(job) + job.runtime() == second)
                        .toList();
                ended.forEach(job -> change(job, second, (int) (start(job) + job.estimate()), job.size()));
                running.removeAll(ended);
                if (!ended.isEmpty()) {
                    waiting.stream().filter(job -> start(job) > second).forEach(job -> reserve(job, second));
                }
                while (arrived < jobs.size() && jobs.get(arrived).submit() == now) {
                    Job job = jobs.get(arrived++);
                    waiting.add(job);
                    reserve(job, now);
                    first.put(job.id(), (int) start(job));
                }
                List<Job> due =
                        waiting.stream().filter(job -> start(job) == second).toList();
                waiting.removeAll(due);
                running.addAll(due);
            }
        }

        private void reserve(Job job, int now) {
            Integer before = starts.get(job.id());
            if (before != null) {
                change(job, before, (int) (before + job.estimate()), job.size());
            }
            int start = now;
            while (!fits(job, start)) {
                start++;
            }
            starts.put(job.id(), start);
            change(job, start, (int) (start + job.estimate()), -job.size());
        }

        private boolean fits(Job job, int start) {
            for (int t = start; t < start + job.estimate(); t++) {
                if (free[t] < job.size()) {
                    return false;
                }
            }
            return true;
        }

        private void change(Job job, int from, int to, int by) {
            for (int t = from; t < to; t++) {
                free[t] += by;
            }
            assertThat(job.size()).isLessThanOrEqualTo(PROCESSORS);
        }

        long start(Job job) {
            return Objects.requireNonNull(starts.get(job.id()));
        }

        long reservedFirst(Job job) {
            return Objects.requireNonNull(first.get(job.id()));
        }
    }

    @Test
    void aJobLargerThanTheMachineIsRefusedAndDelaysNoOther() {
        List<Job> jobs = List.of(
                OracleStarts.job("1", 0, PROCESSORS + 1, 10, 10, "u"),
                OracleStarts.job("2", 0, PROCESSORS, 10, 10, "u"));

        for (Supplier<Scheduler> discipline : disciplines()) {
            Recorded recorded = Recorded.of(jobs, discipline.get());

            assertThat(recorded.refusals()).extracting(Job::id).containsExactly("1");
            assertThat(recorded.run("2").start()).isZero();
        }
    }

    @Test
    void aJobThatReachesItsEstimateIsKilledThere() {
        Recorded recorded = Recorded.of(
                List.of(OracleStarts.job("1", 5, 1, 100, 30, "u")),
                new Fcfs(new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE))));

        assertThat(recorded.run("1").end()).isEqualTo(35);
    }

    @Test
    void aJobGetsTheCheapestFreeProcessorsAndGivesThemBack() {
        ProcessorMachine four = ProcessorMachine.of(
                LongStream.of(40, 10, 30, 20).mapToObj(StepFunction::constant).toList());
        List<Job> jobs = List.of(
                OracleStarts.job("1", 0, 2, 10, 10, "u"),
                OracleStarts.job("2", 0, 1, 30, 30, "u"),
                OracleStarts.job("3", 10, 2, 5, 5, "u"),
                OracleStarts.job("4", 20, 4, 1, 1, "u"));

        Recorded recorded = Recorded.of(jobs, new Easy(four, Scan.ARRIVAL));

        assertThat(recorded.run("1").cost().microSecondsPerHour()).isEqualTo((10 + 20) * 10);
        assertThat(recorded.run("2").cost().microSecondsPerHour()).isEqualTo(30 * 30);
        assertThat(recorded.run("3").cost().microSecondsPerHour()).isEqualTo((10 + 20) * 5);
        assertThat(recorded.run("4").start()).isEqualTo(30);
        assertThat(recorded.run("4").cost().microSecondsPerHour()).isEqualTo(100);
    }

    @Test
    void aJobPaysThePriceOfEachSecondThatItRuns() {
        StepFunction dear = StepFunction.startingAt(40).then(5, 20).then(8, 40).build();
        StepFunction cheap = StepFunction.startingAt(10).then(5, 5).then(8, 10).build();
        List<Job> jobs = List.of(OracleStarts.job("1", 0, 1, 10, 10, "u"), OracleStarts.job("2", 0, 1, 6, 6, "u"));

        Recorded cheapest = Recorded.of(jobs, new Fcfs(ProcessorMachine.of(List.of(dear, cheap))));
        Recorded blind = Recorded.of(jobs, new Fcfs(new ProcessorMachine(2, dear)));

        assertThat(cheapest.run("1").cost().microSecondsPerHour()).isEqualTo(7 * 10 + 3 * 5);
        assertThat(cheapest.run("2").cost().microSecondsPerHour()).isEqualTo(5 * 40 + 20);
        assertThat(blind.run("1").cost().microSecondsPerHour()).isEqualTo(7 * 40 + 3 * 20);
    }

    @Test
    void processorsOfOnePriceCostTheSameInAnyChoice() {
        List<Job> jobs = jobs(3, 100);
        List<StepFunction> prices = Collections.nCopies(PROCESSORS, StepFunction.constant(PRICE));

        assertThat(Recorded.of(jobs, new Conservative(ProcessorMachine.of(prices)))
                        .runs())
                .isEqualTo(Recorded.of(
                                jobs, new Conservative(new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE))))
                        .runs());
    }

    @Test
    void underValueTheHighestValueOfTimePerProcessorIsTheHead() {
        List<Job> jobs = List.of(
                OracleStarts.job("1", 0, 2, 10, 10, "u"),
                valued(OracleStarts.job("2", 1, 2, 10, 10, "u"), 30),
                valued(OracleStarts.job("3", 2, 1, 10, 10, "u"), 20),
                valued(OracleStarts.job("4", 3, 2, 5, 5, "u"), 30));

        Recorded recorded = Recorded.of(
                jobs, new Easy(new ProcessorMachine(2, StepFunction.constant(PRICE)), Scan.ARRIVAL, Easy.Head.VALUE));

        // 30 for 10 seconds, then 20 for 10, then 30 for 20.
        assertThat(recorded.run("4").start()).isEqualTo(10);
        assertThat(recorded.run("3").start()).isEqualTo(15);
        assertThat(recorded.run("2").start()).isEqualTo(25);
    }

    private static Job valued(Job job, long micros) {
        return job.on(job.terms().valuing(ValueOfTime.always(new Money(micros))));
    }

    private static List<Supplier<Scheduler>> disciplines() {
        return Stream.<Supplier<Scheduler>>of(
                        () -> new Fcfs(new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE))),
                        () -> new Easy(new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE)), Scan.ARRIVAL),
                        () -> new Easy(
                                new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE)), Scan.SHORTEST_ESTIMATE),
                        () -> new Easy(
                                new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE)),
                                Scan.ARRIVAL,
                                Easy.Head.VALUE),
                        () -> new Conservative(new ProcessorMachine(PROCESSORS, StepFunction.constant(PRICE))))
                .toList();
    }

    /** Jobs with many equal times, so that much happens in one second. */
    private static List<Job> jobs(long seed, int count) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        List<Job> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 1; i <= count; i++) {
            submit += random.nextInt(4) * 5L;
            long estimate = 10L * (1 + random.nextInt(12));
            long runtime = random.nextInt(3) == 0 ? estimate : 1 + random.nextLong(estimate);
            jobs.add(OracleStarts.job(
                    String.valueOf(i),
                    submit,
                    1 + random.nextInt(PROCESSORS),
                    runtime,
                    estimate,
                    "u" + random.nextInt(3)));
        }
        return jobs;
    }
}
