package io.slotwise.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slotwise.core.work.RandomSource;
import io.slotwise.lab.simulation.Priorities.Share;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import io.slotwise.testing.OracleStarts;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrioritiesTest {
    private static final int JOBS = 10_000;
    private static final RandomSource DRAWS =
            seed -> RandomGeneratorFactory.of("L64X128MixRandom").create(seed);

    @Test
    void sharesOfTheJobsHaveThePrioritiesAndMayBeMoved() {
        List<Job> jobs = ranked(new TreeMap<>(), 1);

        Map<Integer, Long> counts =
                jobs.stream().collect(Collectors.groupingBy(job -> job.terms().priority(), Collectors.counting()));
        assertThat(counts).containsOnlyKeys(0, 5, 9);
        assertThat(counts.get(9)).isBetween(JOBS / 10 - 150L, JOBS / 10 + 150L);
        assertThat(counts.get(5)).isBetween(JOBS / 5 - 200L, JOBS / 5 + 200L);
        assertThat(jobs.stream().filter(job -> job.terms().migratable()).count())
                .isBetween(JOBS / 4 - 200L, JOBS / 4 + 200L);
    }

    @Test
    void whatAJobDrawsFollowsFromTheSeed() {
        assertThat(ranked(new TreeMap<>(), 1))
                .isEqualTo(ranked(new TreeMap<>(), 1))
                .isNotEqualTo(ranked(new TreeMap<>(), 2));
    }

    @Test
    void aQueuesPriorityGoesBeforeADrawnOne() {
        assertThat(ranked(new TreeMap<>(Map.of("express", 30)), 1))
                .filteredOn(job -> job.terms().queue().equals("express"))
                .hasSize(JOBS / 2)
                .allSatisfy(job -> assertThat(job.terms().priority()).isEqualTo(30));
    }

    @Test
    void moreThanAllOfTheJobsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Priorities(
                        workload(), new TreeMap<>(), List.of(new Share(60, 1), new Share(50, 2)), 0, 1, DRAWS))
                .withMessageContaining("110 %");
    }

    private static List<Job> ranked(SortedMap<String, Integer> byQueue, long seed) {
        return new Priorities(workload(), byQueue, List.of(new Share(10, 9), new Share(20, 5)), 25, seed, DRAWS)
                .jobs()
                .toList();
    }

    private static Workload workload() {
        List<Job> jobs = IntStream.range(0, JOBS)
                .mapToObj(i -> OracleStarts.job(String.valueOf(i), i, 1, 10, 10, "u" + i % 7))
                .map(job -> job.on(job.terms().withQueue(job.submit() % 2 == 0 ? "express" : "")))
                .toList();
        return OracleStarts.workload(jobs);
    }
}
