package io.slotwise.lab.workload.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.estimate.TsafrirEstimates.EstimateModel;
import io.slotwise.lab.workload.estimate.TsafrirEstimates.EstimateModel.Popular;
import io.slotwise.lab.workload.format.WorkloadFile;
import io.slotwise.lab.workload.format.WorkloadFormat;
import java.io.InputStream;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TsafrirEstimatesTest {
    private static final long HOUR = 3600;
    private static final long MAXIMUM = 36 * HOUR;

    private static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static Workload lublin(int jobs) {
        return WorkloadFile.open("lublin:jobs=" + jobs, null, LogOptions.STRICT, InputStream.nullInputStream());
    }

    private static List<Job> estimated(Workload workload, long seed) {
        return Texts.jobs(TsafrirEstimates.of(workload, MAXIMUM, random(seed)));
    }

    @Test
    void theHeadHasTheMaximumAndNineteenRoundTimes() {
        assertThat(EstimateModel.headTimes(18 * HOUR))
                .startsWith(18 * HOUR, 300L, 600L)
                .hasSize(20);
        assertThat(EstimateModel.headTimes(MAXIMUM))
                .hasSize(20)
                .doesNotHaveDuplicates()
                .contains(30 * HOUR, 20 * HOUR, 35 * HOUR, 25 * HOUR);
        assertThat(EstimateModel.headTimes(2 * HOUR)).hasSize(20).allMatch(time -> time <= 2 * HOUR && time % 300 == 0);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "20, 10", "200, 20", "1000, 35", "5500, 62", "10000, 90", "250000, 565", "900000, 565"})
    void moreJobsHaveMoreDifferentEstimates(int jobs, int different) {
        assertThat(EstimateModel.different(jobs)).isEqualTo(different);
    }

    @Test
    void theTwentyMostPopularHaveNineTenthsOfTheJobs() {
        List<Popular> estimates = EstimateModel.estimates(10_000, MAXIMUM, random(1));

        assertThat(estimates.stream().mapToLong(Popular::jobs).sum()).isEqualTo(10_000);
        Set<Long> head = new HashSet<>(EstimateModel.headTimes(MAXIMUM));
        long inHead = estimates.stream()
                .filter(estimate -> head.contains(estimate.seconds()))
                .mapToLong(Popular::jobs)
                .sum();
        assertThat(inHead).isBetween(8_890L, 8_910L);
        assertThat(estimates).extracting(Popular::seconds).doesNotHaveDuplicates();
        assertThat(estimates).allMatch(estimate -> estimate.seconds() <= MAXIMUM && estimate.seconds() % 60 == 0);
    }

    @Test
    void fiveMinutesAreTheMostPopular() {
        Popular most = EstimateModel.estimates(10_000, MAXIMUM, random(1)).stream()
                .max(Comparator.comparingLong(Popular::jobs))
                .orElseThrow();

        assertThat(most.seconds()).isEqualTo(300);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "19", "100", "3000"})
    void estimatesAreNeverBelowRunTimesNorAboveTheMaximum(int count) {
        Workload workload = lublin(count);

        List<Job> jobs = estimated(workload, 3);

        List<Job> before = Texts.jobs(workload);
        assertThat(jobs).hasSize(count);
        for (int i = 0; i < count; i++) {
            Job job = jobs.get(i);
            assertThat(job.estimate()).isBetween(job.runtime(), MAXIMUM);
            assertThat(job.runtime()).isEqualTo(Math.min(before.get(i).runtime(), MAXIMUM));
            assertThat(job.submit()).isEqualTo(before.get(i).submit());
        }
    }

    @Test
    void sharedOutEstimatesKeepTheirPopularity() {
        List<Job> jobs = estimated(lublin(5_000), 3);

        List<Long> byPopularity =
                jobs.stream().collect(Collectors.groupingBy(Job::estimate, Collectors.counting())).values().stream()
                        .sorted(Comparator.reverseOrder())
                        .toList();
        long head = byPopularity.stream().limit(20).mapToLong(Long::longValue).sum();
        assertThat(head).isBetween(4_400L, 4_600L);
        assertThat(byPopularity).hasSizeBetween(40, 62);
    }

    @Test
    void theAssignmentOfEstimatesFollowsFromTheSeed() {
        Workload workload = lublin(300);

        assertThat(estimated(workload, 5)).isEqualTo(estimated(workload, 5)).isNotEqualTo(estimated(workload, 6));
    }

    @Test
    void aJobLongerThanTheMaximumIsCutThere() {
        Workload workload = WorkloadFormat.SWF.open(
                Texts.of("a.swf", "1 0 -1 999999 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"), LogOptions.STRICT);

        assertThat(estimated(workload, 1)).extracting(Texts::figures).containsExactly("1: 0 1 129600 129600");
    }

    @Test
    void anEmptyWorkloadStaysEmpty() {
        assertThat(estimated(WorkloadFormat.SWF.open(Texts.of("a.swf", ""), LogOptions.STRICT), 1))
                .isEmpty();
    }

    @Test
    void aMaximumWithoutTwentyRoundTimesIsRefused() {
        assertThatThrownBy(() -> TsafrirEstimates.of(lublin(10), HOUR, random(1)))
                .hasMessage("The longest estimate (3600 s) must not be below 7200 s.");
    }

    @Test
    void estimatesOfAFullHeadFollowTheModelsPercentages() {
        Map<Long, Long> jobs = EstimateModel.estimates(1_000_000, MAXIMUM, random(1)).stream()
                .collect(Collectors.toMap(Popular::seconds, Popular::jobs, Long::sum, java.util.TreeMap::new));
        Function<Long, Double> percent = seconds -> jobs.getOrDefault(seconds, 0L) / 10_000.0;

        // Rank 2 of the template is 3 hours: 14.0491 e^(-0.177531 x 2) + 0.462513.
        assertThat(percent.apply(3 * HOUR)).isBetween(10.31, 10.32);
        // Rank 20 is the longest time below the maximum.
        assertThat(percent.apply(35 * HOUR)).isBetween(0.86, 0.87);
    }
}
